# SPDX-License-Identifier: Apache-2.0
"""`crema app`: the page it writes, and what is refused. test/report/app.test.mjs opens it in a browser."""


def test_a_page_that_holds_all_it_needs_or_the_way_to_one(crema, tmp_path):
    result = crema("app", "-o", "crema.html")
    if result.code == 2:
        assert "built without WebAssembly" in result.err and "CREMA_WASM" in result.err, result
        assert not (tmp_path / "crema.html").exists()
        return
    assert result.code == 0 and result.err == "", result
    page = (tmp_path / "crema.html").read_text(encoding="utf-8")
    assert "default-src 'none'" in page and 'id="wasm"' in page
    assert "http://" not in page.replace("http://www.w3.org/", "") and "https://" not in page
    again = crema("app", "-o", "crema.html")
    assert again.code == 2 and "exists" in again.err
    assert crema("app", "-o", "crema.html", "--force", "-q").out == ""


def test_a_name_that_is_no_page_is_refused(crema):
    result = crema("app", "-o", "crema.nii")
    assert result.code == 2 and "must end in .html" in result.err, result
