"""Draws what ParaView shows of a recording and of its contacts, by VTK and without a window.

    palpate demo
    palpate replay palpate-demo/demo.vtkhdf --out palpate-demo/demo-contacts.vtkhdf --vtk
    python draw_paraview.py palpate-demo/demo.vtkhdf palpate-demo/demo-contacts.vtkhdf docs

Needs the package vtk. Writes paraview-recording.png (the objects at one step) and paraview-contacts.png (the same with the
contact points, coloured by depth, and an arrow along each direction) to the folder. The pictures of docs/paraview.md are
made this way.
"""

import argparse
import os

import vtk

COLOURS = {"organ": (0.80, 0.35, 0.30), "tool": (0.65, 0.70, 0.78), "thread": (0.90, 0.85, 0.60)}
OTHERS = (0.75, 0.75, 0.75)


def read(path, step):
    """The output of VTK's reader at a step."""
    reader = vtk.vtkHDFReader()
    reader.SetFileName(path)
    reader.UpdateInformation()
    reader.SetStep(step)
    reader.Update()
    return reader.GetOutputDataObject(0)


def parts(data):
    """The datasets of an output, with their names."""
    if not isinstance(data, vtk.vtkCompositeDataSet):
        return [("contacts", data)]
    found = []
    walk = data.NewIterator()
    walk.InitTraversal()
    while not walk.IsDoneWithTraversal():
        about = walk.GetCurrentMetaData()
        found.append((about.Get(vtk.vtkCompositeDataSet.NAME()), walk.GetCurrentDataObject()))
        walk.GoToNextItem()
    return found


def surface(name, data, see_through):
    """An object as it is by default in ParaView, in a colour of its own; a thread as a tube."""
    mapper = vtk.vtkPolyDataMapper()
    if data.GetNumberOfLines() > 0:
        tube = vtk.vtkTubeFilter()
        tube.SetInputData(data)
        tube.SetRadius(0.0008)
        tube.SetNumberOfSides(12)
        mapper.SetInputConnection(tube.GetOutputPort())
    else:
        mapper.SetInputData(data)
    mapper.ScalarVisibilityOff()
    actor = vtk.vtkActor()
    actor.SetMapper(mapper)
    actor.GetProperty().SetColor(COLOURS.get(name, OTHERS))
    actor.GetProperty().SetEdgeVisibility(name == "organ")
    actor.GetProperty().SetEdgeColor(0.55, 0.22, 0.20)
    actor.GetProperty().SetOpacity(0.35 if see_through else 1.0)
    return actor


def contacts(data):
    """Balls at the contact points, coloured by depth, arrows along their directions, and the scale of the colours."""
    depths = data.GetPointData().GetArray("depth")
    colours = vtk.vtkLookupTable()
    colours.SetHueRange(0.66, 0.16)
    colours.SetTableRange(depths.GetRange())
    colours.Build()
    data.GetPointData().SetActiveScalars("depth")
    data.GetPointData().SetActiveVectors("direction")
    ball = vtk.vtkSphereSource()
    ball.SetRadius(1.0)
    actors = []
    for source, size in ((ball, 0.0007), (vtk.vtkArrowSource(), 0.012)):
        glyph = vtk.vtkGlyph3D()
        glyph.SetInputData(data)
        glyph.SetSourceConnection(source.GetOutputPort())
        glyph.SetScaleModeToDataScalingOff()
        glyph.SetScaleFactor(size)
        glyph.SetColorModeToColorByScalar()
        glyph.SetVectorModeToUseVector()
        mapper = vtk.vtkPolyDataMapper()
        mapper.SetInputConnection(glyph.GetOutputPort())
        mapper.SetLookupTable(colours)
        mapper.UseLookupTableScalarRangeOn()
        actor = vtk.vtkActor()
        actor.SetMapper(mapper)
        actors.append(actor)
    bar = vtk.vtkScalarBarActor()
    bar.SetLookupTable(colours)
    bar.SetTitle("depth (m)")
    bar.SetNumberOfLabels(5)
    bar.SetVerticalTitleSeparation(12)
    bar.SetMaximumWidthInPixels(90)
    bar.SetMaximumHeightInPixels(280)
    bar.SetPosition(0.86, 0.52)
    bar.UnconstrainedFontSizeOn()
    for style in (bar.GetTitleTextProperty(), bar.GetLabelTextProperty()):
        style.SetColor(0.1, 0.1, 0.1)
        style.SetFontSize(16)
        style.ShadowOff()
        style.ItalicOff()
    return actors, bar


def draw(path, actors, bar):
    """Writes a picture of 1000 by 640 pixels."""
    renderer = vtk.vtkRenderer()
    renderer.SetBackground(0.93, 0.95, 0.97)
    for actor in actors:
        renderer.AddActor(actor)
    if bar:
        renderer.AddViewProp(bar)
    window = vtk.vtkRenderWindow()
    window.SetOffScreenRendering(1)
    window.SetMultiSamples(8)
    window.SetSize(1000, 640)
    window.AddRenderer(renderer)
    camera = renderer.GetActiveCamera()
    camera.SetFocalPoint(0.0, 0.025, 0.0)
    camera.SetPosition(0.08, 0.20, 0.27)
    camera.SetViewUp(0.0, 1.0, 0.0)
    camera.SetViewAngle(28.0)
    renderer.ResetCameraClippingRange()
    window.Render()
    image = vtk.vtkWindowToImageFilter()
    image.SetInput(window)
    image.ReadFrontBufferOff()
    writer = vtk.vtkPNGWriter()
    writer.SetFileName(path)
    writer.SetInputConnection(image.GetOutputPort())
    writer.Write()
    print(path)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    arguments.add_argument("recording")
    arguments.add_argument("contacts")
    arguments.add_argument("folder")
    arguments.add_argument("--step", type=int, default=75)
    given = arguments.parse_args()
    objects = parts(read(given.recording, given.step))
    draw(
        os.path.join(given.folder, "paraview-recording.png"),
        [surface(name, data, False) for name, data in objects],
        None,
    )
    (_, points), *_ = parts(read(given.contacts, given.step))
    if points.GetNumberOfPoints() == 0:
        raise SystemExit(f"draw_paraview: step {given.step} has no contacts, wanted one with some")
    marks, bar = contacts(points)
    draw(
        os.path.join(given.folder, "paraview-contacts.png"),
        [surface(name, data, name != "thread") for name, data in objects] + marks,
        bar,
    )


if __name__ == "__main__":
    main()
