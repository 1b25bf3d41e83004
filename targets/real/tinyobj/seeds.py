"""Seeds of the tinyobjloader harness: faces, other elements, and groups."""

SEEDS: dict[str, bytes] = {
    "faces.obj": b"# a\nv 0 0 0\nv 1 0 0\nv 1 1.5e0 -0.5\nv 0 1 0 1 0 0\nvt 0 1\nvn 0 0 1\n"
    b"f 1/1/1 2/1/1 3/1/1\nf 1//1 2//1 3//1 4//1\nf -1 -2 -3\n",
    "elements.obj": b"v 0 0 0\nv 1 0 0\nvw 0 1 0.5\nl 1 2\np 1\n",
    "groups.obj": b"mtllib a.mtl\no b\ng c d\nusemtl e\ns 1\nt f 1/1/1 2 3.5 g\ns off\nv 0 0 0\nf 1 1 1\n",
}
