# SPDX-License-Identifier: Apache-2.0
"""A scripted module of 3D Slicer: the consensus of several segmentations. Its form is what `crema fuse --xml` says."""

import os
import shutil
import tempfile

import crema_form
import ctk
import qt
import slicer
from slicer.ScriptedLoadableModule import (
    ScriptedLoadableModule,
    ScriptedLoadableModuleLogic,
    ScriptedLoadableModuleWidget,
)


class CremaConsensus(ScriptedLoadableModule):
    def __init__(self, parent):
        super().__init__(parent)
        parent.title = "Consensus of segmentations (crema)"
        parent.categories = ["Segmentation"]
        parent.helpText = "Fuses the segmentations of several raters into one: each segment with those of its name."


class CremaConsensusLogic(ScriptedLoadableModuleLogic):
    def fuse(self, program, fields, nodes, values):
        """The consensus of segmentation nodes as a new one, and what the program said of it."""
        with tempfile.TemporaryDirectory() as folder:
            raters = []
            for number, node in enumerate(nodes, 1):
                path = os.path.join(folder, f"{number}.seg.nrrd")
                if not slicer.util.saveNode(node, path):
                    raise RuntimeError(f"{node.GetName()} cannot be saved.")
                raters.append(path)
            output = os.path.join(folder, "Consensus.seg.nrrd")
            values = {"labels": "all", **{name: value for name, value in values.items() if value not in (None, "")}}
            said = crema_form.run(crema_form.command_line(program, fields, raters, output, values))
            return slicer.util.loadSegmentation(output), said


class CremaConsensusWidget(ScriptedLoadableModuleWidget):
    def setup(self):
        super().setup()
        self.logic = CremaConsensusLogic()
        self.inputs = {}
        self.nodes = slicer.qMRMLCheckableNodeComboBox()
        self.nodes.nodeTypes = ["vtkMRMLSegmentationNode"]
        self.nodes.setMRMLScene(slicer.mrmlScene)
        self.program = ctk.ctkPathLineEdit()
        self.program.currentPath = shutil.which("crema") or ""
        first = self.section("Raters", False)
        first.addRow("Program", self.program)
        first.addRow("Segmentations", self.nodes)
        button = qt.QPushButton("Fuse")
        button.clicked.connect(self.on_fuse)
        self.program.currentPathChanged.connect(self.on_program)
        self.fields = []
        self.on_program()
        self.layout.addWidget(button)
        self.layout.addStretch(1)

    def section(self, title, collapsed):
        box = ctk.ctkCollapsibleButton()
        box.text, box.collapsed = title, collapsed
        self.layout.addWidget(box)
        return qt.QFormLayout(box)

    def on_program(self, *_):
        """The form of the program that is chosen."""
        if self.inputs or not os.access(self.program.currentPath, os.X_OK):
            return
        self.fields = crema_form.describe(self.program.currentPath)
        forms = {}
        for field in self.fields:
            if field.group not in forms:
                forms[field.group] = self.section(field.group, field.group != "Method")
            self.inputs[field.name] = self.input_for(field)
            self.inputs[field.name].toolTip = field.text
            forms[field.group].addRow(field.name.replace("_", " "), self.inputs[field.name])

    def input_for(self, field):
        if field.kind == "boolean":
            return qt.QCheckBox()
        if not field.words:
            return qt.QLineEdit()
        box = qt.QComboBox()
        box.addItems(["", *field.words])
        return box

    def value_of(self, field):
        widget = self.inputs[field.name]
        if field.kind == "boolean":
            return widget.checked
        return widget.currentText if field.words else widget.text

    def on_fuse(self):
        with slicer.util.tryWithErrorDisplay("No consensus.", waitCursor=True):
            values = {field.name: self.value_of(field) for field in self.fields}
            _, said = self.logic.fuse(self.program.currentPath, self.fields, self.nodes.checkedNodes(), values)
            slicer.util.showStatusMessage(said.strip().splitlines()[-1] if said.strip() else "Consensus", 5000)
