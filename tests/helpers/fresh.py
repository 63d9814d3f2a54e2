"""A fresh environment: an empty venv that sees what is installed here, and takes and loses packages of its own."""

import os
import subprocess
import sys
import sysconfig
import venv
from dataclasses import dataclass
from pathlib import Path

from helpers.warm import warm_bvf


@dataclass(frozen=True)
class Environment:
    """A venv and the folder that commands run in."""

    folder: Path

    @property
    def python(self) -> Path:
        return self.folder / "venv" / "bin" / "python"

    @property
    def packages(self) -> Path:
        return next((self.folder / "venv" / "lib").iterdir()) / "site-packages"

    def install(self, *packages: Path) -> None:
        self.pip("install", "--no-deps", "--no-index", "--no-build-isolation", *map(str, packages))

    def uninstall(self, *distributions: str) -> None:
        self.pip("uninstall", "--yes", *distributions)

    def pip(self, *arguments: str) -> None:
        command = [sys.executable, "-m", "pip", "--python", str(self.python), "--disable-pip-version-check", *arguments]
        done = subprocess.run(command, capture_output=True, text=True, cwd=self.folder)
        assert done.returncode == 0, done.stdout + done.stderr

    def run(self, *arguments: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        """Run python with arguments."""
        keep = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        return subprocess.run(
            [str(self.python), *map(str, arguments)],
            cwd=cwd or self.folder,
            env={**keep, "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"},
            capture_output=True,
            text=True,
        )

    def bvf(self, *arguments: object) -> subprocess.CompletedProcess[str]:
        """Run a command that finds what is installed here; it shares libraries with other commands."""
        command = [*warm_bvf(), *map(str, arguments)]
        environment = {**os.environ, "PYTHONPATH": str(self.packages)}
        return subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True)

    def shown(self, *arguments: object) -> str:
        """What such a command prints, which must succeed."""
        done = self.bvf(*arguments)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


def built(source: Path, out: Path) -> Path:
    """Build the wheel of a package here."""
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(source)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return next(out.glob("*.whl"))


def fresh_environment(folder: Path) -> Environment:
    """Make a venv without pip; the libraries of this one are seen through a path file."""
    venv.create(folder / "venv", with_pip=False)
    environment = Environment(folder)
    seen = f"import site; site.addsitedir({sysconfig.get_path('purelib')!r})\n"
    (environment.packages / "here.pth").write_text(seen)
    return environment
