import os
import threading
import time

import pytest

from engine.index import parallel
from engine.index.parallel import both, each


@pytest.fixture(params=[1, 2], autouse=True)
def processors(request, monkeypatch):
    monkeypatch.setattr(parallel, "processors", lambda: request.param)
    return request.param


def test_each_keeps_the_order():
    assert each(lambda n: time.sleep(0.01 * (3 - n)) or n, [0, 1, 2]) == [0, 1, 2]
    assert each(len, []) == []


def test_both_give_what_they_give(processors):
    here, beside = both(threading.get_ident, threading.get_ident)
    assert here == threading.get_ident()
    assert (beside == here) == (processors == 1)


def fail():
    raise ValueError("here")


@pytest.mark.parametrize("calls", [(fail, int), (int, fail)])
def test_a_fault_of_either_is_raised_and_the_next_two_run(calls):
    with pytest.raises(ValueError, match="here"):
        both(*calls)
    assert both(int, str) == (0, "")


def test_nothing_goes_on_beside_after_a_fault(processors):
    ended = []
    with pytest.raises(ValueError, match="here"):
        both(fail, lambda: time.sleep(0.05) or ended.append(1))
    assert len(ended) == processors - 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_child_process_has_its_own_threads():
    both(int, int)
    child = os.fork()
    if not child:
        os._exit(both(lambda: 3, lambda: 4)[1])
    for _ in range(500):
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            break
        time.sleep(0.01)
    else:
        os.kill(child, 9)
        os.waitpid(child, 0)
    assert ended and os.waitstatus_to_exitcode(status) == 4
