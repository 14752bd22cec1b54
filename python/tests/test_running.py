# SPDX-License-Identifier: Apache-2.0
"""Threads, interrupts, progress, memory."""

from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from conftest import same

import crema


def run(code, **environment):
    """Runs code in an interpreter of its own and returns what it printed."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        capture_output=True,
        text=True,
        timeout=600,
        env={**os.environ, **environment},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_many_threads_at_once_get_what_one_gets(masks):
    names = ["jaccard", "tanimoto", "staple", "majority"]
    expected = {name: crema.fuse(masks, method=name).image for name in names}
    with ThreadPoolExecutor(8) as pool:
        jobs = [(name, pool.submit(crema.fuse, masks, method=name)) for name in names * 8]
    for name, job in jobs:
        assert same(job.result().image, expected[name])


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_any_number_of_threads_gives_the_same_bytes(masks, threads):
    for method in ("dice", "soergel", "staple"):
        assert same(crema.fuse(masks, method=method, threads=threads).image, crema.fuse(masks, method=method).image)


@pytest.fixture
def interruptible():
    """Whoever starts the tests in the background may have SIGINT ignored, which Python then leaves so."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def interrupted(call, seconds):
    """Seconds of processor time of a call that is interrupted after so many; infinite if it ends by itself."""
    began, ended = time.process_time(), threading.Event()

    def interrupt():
        while not ended.wait(0.001):
            if time.process_time() - began >= seconds:
                return os.kill(os.getpid(), signal.SIGINT)

    watch = threading.Thread(target=interrupt)
    try:
        watch.start()
        call()
        ended.set()
        watch.join()
    except KeyboardInterrupt:
        return time.process_time() - began
    finally:
        ended.set()
    return math.inf


def hard_to_prove():
    """As many raters as there may be, who agree on nothing: a proof takes far longer than these tests."""
    random = np.random.default_rng(1)
    return (random.random((64, 48, 48)) < 0.5).astype(np.uint8)


def ticks_during(seconds):
    """How often Python gets to do something else during a call of so many seconds."""
    masks, ticks = hard_to_prove(), 0
    with ThreadPoolExecutor(1) as pool:
        call = pool.submit(crema.fuse, masks, certify=True, budget_seconds=seconds)
        while not call.done():
            ticks += 1
            time.sleep(0.01)
        call.result()
    return ticks


def test_python_goes_on_during_a_long_call():
    # Were it held up, no call would have more than a few; a busy machine lets it tick less often.
    assert any(ticks_during(seconds) > 20 for seconds in (1.0, 2.0, 4.0, 8.0, 16.0))


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize(
    "call",
    [
        lambda masks: crema.fuse(masks, certify=True, budget=10**9),
        lambda masks: crema.certify(masks[0], masks, budget=10**9),
    ],
    ids=["fuse", "certify"],
)
def test_an_interrupt_ends_a_long_proof(call):
    masks = hard_to_prove()
    assert 0.3 < interrupted(lambda: call(masks), 0.4) < 10
    assert crema.fuse(masks).image.shape == masks.shape[1:]


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_ends_a_method_that_looks_at_neighbours():
    masks, _ = crema.phantom("organ", size="full")
    whole, shares = [], []
    while len(shares) < 10 and min(shares, default=1) >= 0.75:  # a busy machine may stall any one of them
        began = time.process_time()
        crema.fuse(masks, method="local-staple")
        whole.append(time.process_time() - began)
        spent = interrupted(lambda: crema.fuse(masks, method="local-staple"), 0.25 * min(whole))
        shares.append(spent / min(whole))
    assert min(shares) < 0.75, (shares, whole)


def test_progress_rises_to_one(masks):
    shares = []
    crema.fuse(masks, method=["jaccard", "staple"], progress=shares.append)
    assert shares == sorted(shares) and shares[-1] == 1 and len(shares) >= 3


def test_a_tqdm_bar_works(masks):
    tqdm = pytest.importorskip("tqdm")
    with tqdm.tqdm(total=100, disable=False, file=open(os.devnull, "w")) as bar:
        crema.fuse(masks, progress=bar)
        assert bar.n == pytest.approx(100)


def test_what_progress_raises_ends_the_work(masks):
    def angry(_share):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        crema.fuse(masks, progress=angry)
    with pytest.raises(TypeError, match="neither a function"):
        crema.fuse(masks, progress=3)


told_memory = pytest.mark.skipif(
    not os.access("/proc/self/clear_refs", os.W_OK), reason="this system does not tell the highest memory use"
)

MEASURE = """
    import re, sys
    import numpy as np
    import crema

    def memory(key):
        return int(re.search(key + r":\\s+(\\d+)", open("/proc/self/status").read())[1]) / 1024

    shape = (64, 512, 512)  # 16 MB as bytes
    crema.fuse(np.ones((2, 8, 8), np.uint8))
    masks = [np.asarray(np.zeros(shape, np.uint8), order="{order}") + np.uint8(0) for _ in range(12)]
    for k, mask in enumerate(masks):
        mask[20:40, 100 + k : 200, 100:200] = 1
    masks = [mask.astype("{dtype}") for mask in masks]
    open("/proc/self/clear_refs", "w").write("5")
    before = memory("VmRSS")
    result = crema.fuse(masks, method="majority", threads=1)
    print(memory("VmHWM") - before)
"""


@told_memory
@pytest.mark.parametrize("dtype", ["uint8", "bool"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_masks_are_not_copied(dtype, order):
    """Twelve masks of 16 MB are 192 MB; counting takes 32 MB for the votes, 16 MB for the result, and little else."""
    grown = float(run(MEASURE.format(order=order, dtype=dtype)))
    assert grown < 80, f"{grown:.0f} MB more"


@told_memory
def test_the_measure_of_memory_sees_a_copy():
    assert float(run(MEASURE.format(order="C", dtype="int16"))) > 180


STREAM = """
    import re, sys, os, tempfile
    import numpy as np
    import crema

    def memory(key):
        return int(re.search(key + r":\\s+(\\d+)", open("/proc/self/status").read())[1]) / 1024

    crema.fuse(np.ones((2, 8, 8), np.uint8))
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, f"{k}.nii.gz") for k in range(8)]
        mask = np.zeros((64, 512, 512), np.uint8)  # 16 MB as bytes
        for k, path in enumerate(paths):
            mask[20:40, 100 + k : 200, 100:200] = 1
            crema.write(path, mask)
        del mask
        open("/proc/self/clear_refs", "w").write("5")
        before = memory("VmRSS")
        result = crema.fuse(paths, method="majority", threads=1)
        print(memory("VmHWM") - before)
"""


@told_memory
def test_files_are_not_held():
    """Eight masks of 16 MB are 128 MB; the votes take 16 MB, counting and the result 16 MB each, and little else."""
    assert float(run(STREAM)) < 75


STARVED = """
    import re, resource
    import numpy as np
    import crema

    def size():
        return int(re.search(r"VmSize:\\s+(\\d+)", open("/proc/self/status").read())[1]) * 1024

    masks = np.zeros((6, 40, 40, 40), np.uint8)
    masks[:, ::2, ::2, ::2] = 1  # 8000 components: the record is much larger than the counts
    result = crema.fuse(masks, threads=1)
    whole = resource.getrlimit(resource.RLIMIT_AS)
    ends = []
    for megabytes in (5, 20, 60, 85, 90, 95, 100, 110, 130, 2000):
        resource.setrlimit(resource.RLIMIT_AS, (size() + (megabytes << 20), whole[1]))
        try:
            ends.append(len(result.to_dict()["component_table"]) == 8000)
        except MemoryError:
            ends.append(None)
        finally:
            resource.setrlimit(resource.RLIMIT_AS, whole)
    print(ends.count(None) > 0, ends[-1])
"""


def test_a_record_that_finds_no_memory_is_a_memory_error():
    # One arena: memory that other threads once had would hide how little there is.
    assert run(STARVED, MALLOC_ARENA_MAX="1").split() == ["True", "True"]


STARVED_CHILDREN = """
    import os, re, resource, threading
    from concurrent.futures import ThreadPoolExecutor
    import numpy as np
    import crema

    def size():
        return int(re.search(r"VmSize:\\s+(\\d+)", open("/proc/self/status").read())[1]) * 1024

    masks = np.zeros((5, 30, 90, 90), np.uint8)
    for k, mask in enumerate(masks):
        mask[k:20, 10:70 + k, 20 - k:60] = 1
    ends = []
    for megabytes in (*range(0, 60, 3), 4000):
        child = os.fork()
        if child == 0:
            with_pool = {with_pool}
            if with_pool:
                masks[:, ::2, ::2, ::7] = 1
                pool, all_there = ThreadPoolExecutor(4), threading.Barrier(4)
                list(pool.map(lambda _: all_there.wait(), range(4)))
            resource.setrlimit(resource.RLIMIT_AS, (size() + (megabytes << 20),) * 2)
            try:
                if with_pool:
                    list(pool.map(lambda _: crema.fuse(masks, threads=4), range(8)))
                else:
                    crema.fuse(masks, threads=16).agreement()
            except MemoryError:
                os._exit(6)
            os._exit(0)
        ends.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    print(*sorted(set(ends)), ends[0], ends[-1])
"""


@pytest.mark.parametrize("with_pool", ["False", "True"])
def test_threads_that_find_no_memory_are_a_memory_error(with_pool):
    """Never a signal or an exit, which would end the interpreter: in threads of crema and of Python."""
    assert run(STARVED_CHILDREN.replace("{with_pool}", with_pool)).split() == ["0", "6", "6", "0"]


def test_a_process_may_fork_between_calls():
    code = """
        import os, warnings
        import crema

        warnings.simplefilter("ignore")  # newer Pythons warn of forks beside threads
        masks, _ = crema.phantom("lesions", size=(7, 41, 45))
        expected = crema.fuse(masks).image
        child = os.fork()
        if child == 0:
            os._exit(0 if (crema.fuse(masks).image == expected).all() else 1)
        print(os.waitpid(child, 0)[1], (crema.fuse(masks).image == expected).all())
    """
    assert run(code).split() == ["0", "True"]


def test_the_result_does_not_keep_the_masks():
    import weakref

    masks = [np.ones((8, 9), np.uint8) for _ in range(3)]
    gone = [weakref.ref(mask) for mask in masks]
    result = crema.fuse(masks)
    del masks
    assert all(reference() is None for reference in gone) and result.image.all()
