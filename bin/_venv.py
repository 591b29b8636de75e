"""The project's virtual environment, made and kept current with the standard library alone."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RUN = "requirements.txt"
DEV = "requirements-dev.txt"
STAMP = "installed.txt"


def python_of(folder: Path) -> Path:
    """The interpreter inside the virtual environment `folder`."""
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def stamp_line(lock: Path) -> str:
    """What the stamp says once `lock` is installed: its name, the Python, the file's digest."""
    digest = hashlib.sha256(lock.read_bytes()).hexdigest()
    return f"{lock.name} {sys.version_info[0]}.{sys.version_info[1]} {digest}"


def is_current(folder: Path, lock: Path) -> bool:
    """Whether `folder` is a virtual environment in which exactly this `lock` was installed."""
    stamp = folder / STAMP
    return (
        python_of(folder).exists()
        and stamp.exists()
        and stamp_line(lock) in stamp.read_text(encoding="utf-8").splitlines()
    )


def same_python(folder: Path) -> bool:
    """Whether `folder` was made by the Python that runs now (its minor version)."""
    stamp = folder / STAMP
    wanted = f" {sys.version_info[0]}.{sys.version_info[1]} "
    return python_of(folder).exists() and (
        not stamp.exists() or wanted in stamp.read_text(encoding="utf-8")
    )


def ensure(name: str, *, root: Path = ROOT) -> Path:
    """The interpreter of `.venv` with the locked requirements `name` installed in it.

    Does nothing where the stamp says they are. The development lock holds all of the other
    (a test says so), so it stamps both. Ends the program with a sentence where it cannot.
    """
    folder, lock = root / ".venv", root / name
    python = python_of(folder)
    if is_current(folder, lock):
        return python
    print(f"正在安装依赖（{name}），请稍候… / Installing, one moment…", flush=True)
    try:
        venv.EnvBuilder(with_pip=True, clear=not same_python(folder)).create(folder)
        (folder / STAMP).unlink(missing_ok=True)
        command = [str(python), "-m", "pip", "install", "--quiet", "--no-input"]
        command += ["--disable-pip-version-check", "--prefer-binary", "--require-hashes"]
        command += ["-r", str(lock)]
        subprocess.run(command, check=True, stderr=subprocess.PIPE, text=True, errors="replace")
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    except (subprocess.CalledProcessError, OSError) as error:
        print(getattr(error, "stderr", None) or error, file=sys.stderr)
        raise SystemExit(
            "安装没有成功，原因见上。"
            "请检查网络，以及 Python 是否带有 venv 和 pip"
            "（Debian、Ubuntu：apt install python3-venv），然后再运行一次。\n"
            "Installing failed for the reason above; check the network and that Python has venv "
            "and pip (Debian, Ubuntu: apt install python3-venv), then run this again."
        ) from error
    locks = [lock] if name == RUN else [lock, root / RUN]
    (folder / STAMP).write_text("".join(f"{stamp_line(k)}\n" for k in locks), encoding="utf-8")
    return python
