"""The main memory that is free: a file as Linux writes it."""

from bvf.files.memory import free_memory


def test_what_programs_may_still_take_is_free(tmp_path):
    meminfo = tmp_path / "meminfo"
    assert free_memory(meminfo) is None
    meminfo.write_text("MemTotal:       16384 kB\nMemFree:         100 kB\nMemAvailable:    4096 kB\n")
    assert free_memory(meminfo) == 4096 * 1024
    meminfo.write_text("MemTotal:       16384 kB\n")
    assert free_memory(meminfo) is None
