# SPDX-License-Identifier: Apache-2.0
"""The installed package beside others that bring libraries of the same names, whichever is imported first."""

import subprocess
import sys

CODE = """
import importlib.util, sys
present = [name for name in {order} if importlib.util.find_spec(name)]
modules = [__import__(name) for name in present]
import numpy as np, crema, nibabel, SimpleITK
masks = crema.phantom("lesions", size=(5, 30, 31), raters=4, seed=1).masks
plain = crema.fuse(list(masks)).image
image = crema.fuse([SimpleITK.GetImageFromArray(mask) for mask in masks]).image
assert (SimpleITK.GetArrayFromImage(image) == plain).all()
image = crema.fuse([nibabel.Nifti1Image(np.ascontiguousarray(mask.T), np.eye(4)) for mask in masks]).image
assert (np.asarray(image.dataobj).T == plain).all()
print(", ".join(present) + ": ok")
"""

for order in (["crema", "SimpleITK", "nibabel", "torch"], ["torch", "SimpleITK", "nibabel", "crema"]):
    subprocess.run([sys.executable, "-c", CODE.format(order=order)], check=True)
