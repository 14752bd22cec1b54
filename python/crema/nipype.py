# SPDX-License-Identifier: Apache-2.0
"""`crema fuse` as an interface of Nipype, which has to be installed: from crema.nipype import Fuse.

Its inputs are the settings of the library's table, by their names.
"""

from __future__ import annotations

import os
from typing import Any

from crema import _core
from crema._settings import SETTINGS, Setting

try:
    from nipype.interfaces.base import (  # type: ignore
        CommandLine,
        CommandLineInputSpec,
        File,
        InputMultiPath,
        TraitedSpec,
        isdefined,
        traits,
    )
except ImportError as error:
    raise ImportError(f"crema.nipype needs Nipype: pip install nipype ({error}).") from error

__all__ = ["Fuse"]


def _flag(setting: Setting) -> str:
    return f"--{'no-' if setting.on else ''}{setting.name.replace('_', '-')}"


def _trait(setting: Setting) -> Any:
    """Of the kind that the table says; a switch that is on by itself is called no_…"""
    flag = _flag(setting)
    kind = setting.type.removesuffix(" | None")
    if not setting.values:
        return traits.Bool(desc=setting.text, argstr=flag)
    plain = {"int": (traits.Int, "%d"), "float": (traits.Float, "%r")}.get(kind, (traits.Str, "%s"))
    return plain[0](desc=setting.text, argstr=f"{flag} {plain[1]}")


def _name(setting: Setting) -> str:
    return _flag(setting)[2:].replace("-", "_")


_INPUTS = {
    "raters": InputMultiPath(File(exists=True), desc="One mask per rater.", argstr="%s", position=0, mandatory=True),
    "method": traits.Str(desc="Method; crema.methods() lists the names.", argstr="--method %s"),
    "out_file": File("consensus.nii.gz", desc="File for the consensus.", argstr="--output %s", usedefault=True),
    "out_record": File(desc="File for the record of the run.", argstr="--json %s"),
    **{_name(SETTINGS[name]): _trait(SETTINGS[name]) for name in _core.fuse_settings()},
}
_OUTPUTS = {"out_file": File(desc="The consensus."), "out_record": File(desc="The record of the run.")}

FuseInputSpec = type("FuseInputSpec", (CommandLineInputSpec,), {"__module__": __name__, **_INPUTS})
FuseOutputSpec = type("FuseOutputSpec", (TraitedSpec,), {"__module__": __name__, **_OUTPUTS})


def _list_outputs(self: Any) -> dict[str, Any]:
    outputs: dict[str, Any] = self.output_spec().get()
    for name in _OUTPUTS:
        if isdefined(path := getattr(self.inputs, name)):
            outputs[name] = os.path.abspath(path)
    return outputs


Fuse: Any = type(
    "Fuse",
    (CommandLine,),
    {
        "__doc__": "The consensus of several raters' masks, by the program `crema`, which has to be in the PATH.",
        "__module__": __name__,
        "_cmd": "crema fuse",
        "input_spec": FuseInputSpec,
        "output_spec": FuseOutputSpec,
        "_list_outputs": _list_outputs,
    },
)
