# SPDX-License-Identifier: Apache-2.0
"""What the paper prints (Hamzaoui et al., MELBA 2023:013), by its LaTeX labels."""

# tab:1: mean LMSD of tanimoto.
TAB_1 = {
    "MSSEG": {"subcrown": 16.36, "crown": 16.50, "voxel": 16.36},
    "Prostate 3D": {"subcrown": 1.24e-2, "crown": 1.26e-2},
    "Prostate 2D": {"subcrown": 5.98e-3, "crown": 6.22e-3, "voxel": 6.10e-3},
}

# LMSD of tanimoto on the toy of fig:5, and seconds.
TAB_3 = {"subcrown": (0.159, 0.26), "crown": (0.176, 0.07), "voxel": (0.159, 0.92), "group": (0.159, 0.55)}

# precision, recall, F1.
TAB_4_0 = {
    "ml-staple": (0.976, 0.273, 0.297),
    "majority": (0.497, 0.817, 0.437),
    "jaccard": (0.562, 0.769, 0.448),
    "dice": (0.570, 0.758, 0.449),
}
TAB_4 = {
    "ml-staple": (0.994, 0.643, 0.746),
    "majority": (0.887, 0.967, 0.892),
    "jaccard": (0.914, 0.931, 0.888),
    "dice": (0.931, 0.930, 0.894),
}

# Mean change of size in percent, share of cases larger.
TAB_5 = {
    "Prostate 3D": {"jaccard": (0.4, 87.5), "dice": (0.6, 85), "ml-staple": (22, 100)},
    "MSSEG": {"jaccard": (19, 100), "dice": (16, 93), "ml-staple": (151, 100)},
    "SCGM-SC": {"jaccard": (2.36, 97.5), "dice": (2.30, 97.5), "ml-staple": (11, 100)},
    "SCGM-GM": {"jaccard": (17, 100), "dice": (15, 100), "ml-staple": (47, 100)},
}

# Mean change of the soft volume, and of the thresholded size.
TAB_6 = {
    "Prostate 3D": {
        "tanimoto": (0.4, 0.1),
        "soergel": (0.1, 0.07),
        "dice2": (0.1, 0.09),
        "dice1": (0.7, 0.03),
        "staple": (10, 11),
    },
    "MSSEG": {"tanimoto": (4, 8), "soergel": (16, 37), "dice2": (2, 4), "dice1": (-3, 11), "staple": (43, 68)},
    "SCGM-SC": {
        "tanimoto": (-0.4, 1),
        "soergel": (0.5, 1.3),
        "dice2": (-0.5, 0.9),
        "dice1": (0.3, 0.9),
        "staple": (4, 5.7),
    },
    "SCGM-GM": {"tanimoto": (1.2, 13), "soergel": (4.4, 16), "dice2": (1, 11), "dice1": (2.9, 14), "staple": (8.6, 19)},
}

# Share of cases with a larger soft volume, and with a larger thresholded size.
TAB_6_LARGER = {
    "Prostate 3D": {"tanimoto": (80, 22.5), "soergel": (65, 12.5), "dice2": (60, 7.5), "dice1": (80, 7.5)},
    "MSSEG": {"tanimoto": (87, 93), "soergel": (100, 100), "dice2": (73, 80), "dice1": (33, 93)},
    "SCGM-SC": {"tanimoto": (10, 35), "soergel": (52.5, 67.5), "dice2": (5, 25), "dice1": (37.5, 27.5)},
    "SCGM-GM": {"tanimoto": (92.5, 100), "soergel": (95, 100), "dice2": (92.5, 100), "dice1": (82.5, 100)},
}

# Seconds for all cases.
TAB_7 = {
    "Prostate 2D": {"tanimoto": 11.1, "soergel": 14.6, "dice2": 7.4, "dice1": 9.8, "staple": 2.3},
    "Prostate 3D": {"tanimoto": 902, "soergel": 772, "dice2": 559, "dice1": 588, "staple": 257},
    "MSSEG": {"tanimoto": 869, "soergel": 691, "dice2": 702, "dice1": 673, "staple": 218},
    "SCGM-SC": {"tanimoto": 16.7, "soergel": 15.1, "dice2": 14, "dice1": 14.3, "staple": 40.6},
    "SCGM-GM": {"tanimoto": 14.1, "soergel": 12.8, "dice2": 12.4, "dice1": 13.3, "staple": 34.7},
}

TAB_8 = {
    "Prostate 3D": {"average": 63850, "tanimoto": 63658, "soergel": 6928, "dice2": 63799, "dice1": 19361},
    "MSSEG": {"average": 41295, "tanimoto": 37377, "soergel": 3805, "dice2": 37720, "dice1": 6107},
    "SCGM-SC": {"average": 2401, "tanimoto": 2467, "soergel": 259, "dice2": 2483, "dice1": 305},
    "SCGM-GM": {"average": 757, "tanimoto": 736, "soergel": 97, "dice2": 736, "dice1": 118},
}

# Entropy and size: full image, box.
TAB_9 = {
    "Prostate 3D": ((2019, 300534), (10992, 285329)),
    "SCGM-SC": ((74, 11406), (269, 11275)),
    "SCGM-GM": ((71, 1854), (118, 1838)),
}

# Mean change against the majority in 3-D and slice by slice; 3-D larger, smaller in percent of cases.
TAB_10 = {
    "SCGM-SC": {"jaccard": (2.37, 1.66, 32.5, 65), "dice": (2.3, 1.6, 37.5, 55)},
    "SCGM-GM": {"jaccard": (16.9, 15.8, 77.5, 15), "dice": (14.7, 14.9, 67.5, 27.5)},
}
