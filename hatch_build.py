"""Compiles the kernel when rocstats is built; without a compiler the build goes on."""

from __future__ import annotations

import os
import platform
import shlex
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SOURCE = "rocstats/data/_kernel.c"
SUFFIX = ".pyd" if os.name == "nt" else ".abi3.so"
FLAGS = ["-O3", "-std=c11", "-fPIC", "-fvisibility=hidden", "-ffp-contract=off"]


class CustomBuildHook(BuildHookInterface[Any]):
    """Puts the compiled kernel beside its source, for a wheel and for an editable install."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        target = (root / SOURCE).with_suffix(SUFFIX)
        problem = compile_kernel(root / SOURCE, target)
        if problem:
            target.unlink(missing_ok=True)  # of another source, maybe
            self.app.display_warning(f"rocstats is installed without its C kernel: {problem}")
            return
        build_data["pure_python"] = False
        build_data["artifacts"].append(target.relative_to(root).as_posix())
        build_data["tag"] = f"cp311-abi3-{_platform()}"


def compile_kernel(source: Path, target: Path, *more: str) -> str:
    """Compile, and return what went wrong, or nothing."""
    compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")
    link = ["-shared"]
    if sys.platform == "darwin":
        link = ["-bundle", "-undefined", "dynamic_lookup"]
    include = [f"-I{path}" for path in {sysconfig.get_path(k) for k in ("include", "platinclude")}]
    partial = target.with_suffix(f".{os.getpid()}")
    call = [*compiler, *FLAGS, *more, *link, *include, str(source), "-o", str(partial)]
    try:
        run = subprocess.run(call, capture_output=True, text=True, check=False)
    except OSError as error:
        return f"{compiler[0]} does not run ({error.strerror})"
    if run.returncode or not partial.is_file():
        partial.unlink(missing_ok=True)
        lines = run.stderr.strip().splitlines() or ["no message"]
        return f"{compiler[0]} ended with {run.returncode} ({lines[0]})"
    partial.replace(target)
    return ""


def _platform() -> str:
    name = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    if sys.platform == "darwin":
        return f"macosx_11_0_{platform.machine()}"
    return name


if __name__ == "__main__":  # in place, for a checkout that is not installed
    path = Path(__file__).resolve().parent / SOURCE
    print(compile_kernel(path, path.with_suffix(SUFFIX)) or "compiled")
