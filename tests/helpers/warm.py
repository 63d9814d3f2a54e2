"""Runs ``bvf`` in forks of one process that has its libraries: most of the time of a short command is their import.

``[*warm_bvf(), *ARGUMENTS]`` is a command like ``python -m bvf ARGUMENTS``: a process of its own, with its own folder,
environment and streams; ``[*warm_bvf(), "-c", SCRIPT]`` is one like ``python -W error -c SCRIPT``.
Only what is read when a library is imported (OMP_NUM_THREADS, HF_HUB_OFFLINE) is fixed.
"""

import contextlib
import json
import os
import socket
import sys
from functools import cache

LONGEST_REQUEST = 1 << 20
FEW = 2
"""Prompts on which a command checks its model where examples are the same, as in `.ci/run`."""
LIBRARIES = (
    "bvf.cli.app",
    "bvf.cli.measuring.run",
    "bvf.cli.results.compare",
    "bvf.cli.results.gate",
    "bvf_report.commands",
    "bvf_report.export",
    "bvf.running.run",
    "bvf.running.verify",
    "bvf_knowledge.analysis",
    "bvf.analyses.risk.analysis",
    "bvf.builtin.criteria",
    "bvf.tables.terminal",
    "bvf.builtin.engines.local",
    "bvf_report.plot.kinds",
    "bvf_report.page.build",
    "bvf_factors.run",
    "bvf_llama_backend.loading",
    "bvf_transformers.loading.describe",
    "bvf_transformers.loading.load",
    "pyarrow.parquet",
    "matplotlib.figure",
    "scipy.stats",
    "transformers.models.llama.modeling_llama",
    "transformers.models.bert.modeling_bert",
    "transformers.models.t5.modeling_t5",
    "transformers.models.auto.modeling_auto",
    "transformers.models.auto.tokenization_auto",
)
"""What most commands import."""
CONTEXTS = "gender-mixed"
"""An English set of hundreds of templates, which forks have then read already."""
RENDERING = "from bvf_llama_backend.template_process import main; main()"


@cache
def warm_bvf():
    """Start the process, which ends with this one, and return the first words of a command that it runs."""
    import subprocess
    import tempfile

    address = f"{tempfile.mkdtemp()}/bvf"
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"}
    server = subprocess.Popen(
        [sys.executable, "-P", __file__, "serve", address],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment,
        text=True,
    )
    assert server.stdout is not None
    assert server.stdout.readline() == "ready\n"
    warm_bvf.server = server  # its stdin is closed when this process ends, and so it ends
    return [sys.executable, "-ISs", __file__, address]


def renders_chats():
    """The program of `bvf_llama_backend.templates` as a fork, which has its libraries."""
    return (*warm_bvf(), "-c", RENDERING)


def ask(address, arguments):
    """Have a command run, and return its exit code."""
    told = json.dumps({"arguments": arguments, "folder": os.getcwd(), "environment": dict(os.environ)}).encode()
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(address)
        socket.send_fds(connection, [len(told).to_bytes(4)], [0, 1, 2])
        connection.sendall(told)
        return int(connection.recv(4) or b"70")


def serve(address):
    """Run each command in a fork until stdin is closed; return what is to be run in the fork alone."""
    import gc
    import importlib
    import select

    gc.disable()  # imports make many objects, and hardly any garbage
    for name in LIBRARIES:
        importlib.import_module(name)
    sys.modules["transformers.conversion_mapping"].get_checkpoint_conversion_mapping("llama")  # it keeps all of them
    sys.modules["bvf_llama_backend.templates"].PROGRAM = (sys.executable, "-ISs", __file__, address, "-c", RENDERING)
    english = sys.modules["bvf.hooks.loader"].load().contexts.in_language("en")
    english.make(CONTEXTS)
    os.fsync = lambda _: None  # what a process wrote outlives it without; no test takes the power away
    if os.environ.get("SAME_EXAMPLES"):  # a model is loaded hundreds of times; tests/measuring tries the whole handful
        sys.modules["bvf.measuring.plan"].HANDFUL = FEW
    gc.freeze()  # a collection in a fork would copy all of them
    gc.enable()
    commands = dict[int, tuple[int, socket.socket]]()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address)
        listener.listen()
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        while True:
            ready, _, _ = select.select([listener, 0, *commands], [], [])
            for ended in commands.keys() & {*ready}:
                _tell_the_end(ended, *commands.pop(ended))
            if 0 in ready:
                raise SystemExit
            if listener in ready:
                connection, _ = listener.accept()
                command, streams = _asked(connection)
                process = os.fork()  # so that commands of a pipe run at the same time
                if process == 0:
                    for each in (listener, connection, *(other for _, other in commands.values())):
                        each.close()
                    return _as_asked(command, streams)
                for stream in streams:
                    os.close(stream)
                commands[os.pidfd_open(process)] = process, connection


def _tell_the_end(ended, process, connection):
    """Send the exit code of a command that ended."""
    os.close(ended)
    _, status = os.waitpid(process, 0)
    with connection, contextlib.suppress(OSError):  # who asked may be gone
        connection.sendall(str(os.waitstatus_to_exitcode(status)).encode())


def _asked(connection):
    """What to run, and the streams of who asked for it."""
    length, streams, _, _ = socket.recv_fds(connection, 4, 3)
    told = b""
    while len(told) < int.from_bytes(length):
        told += connection.recv(LONGEST_REQUEST)
    return json.loads(told), streams


def _as_asked(command, streams):
    """Take the streams, the folder and the environment of who asked, and return the arguments."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    sys.stdin, sys.stdout, sys.stderr = (
        open(number, mode, closefd=False, encoding="utf-8")  # noqa: SIM115 - they last as long as the process
        for number, mode in enumerate("rww")
    )
    os.chdir(command["folder"])
    os.environ.clear()
    os.environ.update(command["environment"])
    return command["arguments"]


def _end_as(command):
    """End as the process would whose main function this is, but for taking the libraries apart: that takes 1 s."""
    import atexit
    import threading
    import traceback

    code = 1
    try:
        command()
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:  # noqa: BLE001 - Python would print it and end, too
        traceback.print_exc()
    threading._shutdown()
    atexit._run_exitfuncs()
    with contextlib.suppress(OSError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)


def main():
    if sys.argv[1] != "serve":
        raise SystemExit(ask(sys.argv[1], sys.argv[2:]))
    arguments = serve(sys.argv[2])
    import importlib

    from bvf.cli import main as bvf

    importlib.invalidate_caches()
    sys.path[:0] = filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
    if arguments[:1] == ["-c"]:
        _end_as(lambda: _strictly(arguments[1]))
    sys.argv = ["bvf", *arguments]
    _end_as(bvf)


def _strictly(script):
    """Run a script as the main module, where warnings are errors."""
    import types
    import warnings

    warnings.simplefilter("error")
    sys.argv = ["-c"]
    sys.path.insert(0, "")
    main = sys.modules["__main__"] = types.ModuleType("__main__")
    exec(compile(script, "<string>", "exec"), vars(main))


if __name__ == "__main__":
    main()
