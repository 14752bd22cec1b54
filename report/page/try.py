#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""To work on the page: try.py REPORT.html [PORT] shows that report with the files of this folder.

Style and script are read again at every reload; make the report with `crema report` once.
"""

import http.server
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent


def page_of(report):
    """The report with links to the files in place of what the build embedded."""
    text = pathlib.Path(report).read_text(encoding="utf-8")
    text = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", text)
    text = re.sub(r"<style>.*?</style>", '<link rel="stylesheet" href="style.css">', text, count=1, flags=re.DOTALL)
    end = '<script type="module" src="main.js"></script></body></html>'
    return text[: text.rindex('<script type="module">')] + end


class Handler(http.server.SimpleHTTPRequestHandler):
    def __init__(self, *arguments, **keywords):
        super().__init__(*arguments, directory=str(HERE), **keywords)

    def do_GET(self):
        if self.path.split("?")[0] != "/":
            super().do_GET()
            return
        body = page_of(sys.argv[1]).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    port = int(sys.argv[2]) if len(sys.argv) > 2 else 8008
    print(f"http://localhost:{port}/")
    http.server.ThreadingHTTPServer(("localhost", port), Handler).serve_forever()


if __name__ == "__main__":
    main()
