"""Compiles the server's busiest rooms into the wheel, where that is asked for (docs/running.md).

`HATCH_BUILD_HOOK_ENABLE_CUSTOM=1 pip install .` needs a C compiler. The same files run either way.
"""

import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompileHook(BuildHookInterface[Any]):
    """Has mypyc compile the modules that pyproject.toml lists as `modules`."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add what was compiled to the wheel. An editable install stays as it is."""
        if version == "editable":
            return
        self._folder = TemporaryDirectory(prefix="skull-")
        workshop = Path(self._folder.name)
        for package in self.build_config.packages:
            shutil.copytree(Path(self.root, package), workshop / Path(package).name)
        modules = [
            str(found.relative_to(workshop))
            for pattern in self.config["modules"]
            for found in sorted(workshop.glob(pattern))
        ]
        # The types are checked by `make types`, by stricter rules.
        Path(workshop, "mypy.ini").write_text("[mypy]\nignore_missing_imports = true\n")
        command = [sys.executable, "-m", "mypyc", *modules]
        subprocess.run(command, cwd=workshop, check=True)  # noqa: S603 - our own files
        for built in (*workshop.glob("*.so"), *workshop.glob("skull_*/**/*.so")):
            build_data["force_include"][str(built)] = str(built.relative_to(workshop))
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002 - hatchling's signature
        """Clear away."""
        if version != "editable":
            self._folder.cleanup()
