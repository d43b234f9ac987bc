//! The claims of the table in `docs/meshes.md`, in its order, each with the test that makes it.

/// A claim, the file of its test, and the test.
type Claim = (&'static str, &'static str, &'static str);

const OBJ: &str = "src/read/obj.rs";
const TEST_CLAIMS: &str = "tests/claims.rs";
const TEST_FILES: &str = "tests/files.rs";
const STL: &str = "src/read/stl.rs";
const PLY: &str = "src/read/ply.rs";
const TEST_HOSTILE: &str = "tests/hostile.rs";
const OFF: &str = "src/read/off.rs";
const TEST_VTK_LEGACY: &str = "tests/vtk_legacy.rs";
const VTK_LEGACY_NUMBERS: &str = "src/read/vtk_legacy/numbers.rs";
const VTK_LEGACY_DATA_SET: &str = "src/read/vtk_legacy/data_set.rs";
const VTK_XML: &str = "src/read/vtk_xml.rs";
const GMSH_ASCII: &str = "src/read/gmsh/ascii.rs";
const MEDIT: &str = "src/read/medit.rs";
const TETGEN: &str = "src/read/tetgen.rs";
const VEGA: &str = "src/read/vega.rs";
const ABAQUS_READING: &str = "src/read/abaqus/reading.rs";

/// What is read, what is not, and what is written, by row.
pub(crate) const READ: &[(&str, &[Claim])] = &[
    (
        "OBJ",
        &[
            ("vertices", OBJ, "faces_lines_and_groups"),
            ("faces", OBJ, "faces_lines_and_groups"),
            ("lines", OBJ, "faces_lines_and_groups"),
            ("also continued by `\\`", OBJ, "continued_lines_keep_the_numbers_of_later_ones"),
            ("groups do not renumber vertices", OBJ, "faces_lines_and_groups"),
            ("free-form curves and surfaces (left out)", TEST_CLAIMS, "what_is_left_out_is_counted"),
            ("lines", TEST_FILES, "what_is_written_reads_back_bit_for_bit"),
            ("triangles", TEST_FILES, "what_is_written_reads_back_bit_for_bit"),
        ],
    ),
    (
        "STL",
        &[
            ("ASCII", STL, "corners_in_one_place_are_one_vertex_and_keep_their_digits"),
            ("also in capitals", STL, "corners_in_one_place_are_one_vertex_and_keep_their_digits"),
            ("and binary", STL, "a_binary_file_may_begin_with_solid"),
            (
                "corners with the same coordinates become one vertex",
                STL,
                "corners_in_one_place_are_one_vertex_and_keep_their_digits",
            ),
            ("binary", TEST_FILES, "a_surface_survives_stl_to_32_bits"),
            ("32-bit coordinates", TEST_FILES, "a_surface_survives_stl_to_32_bits"),
        ],
    ),
    (
        "PLY",
        &[
            ("ASCII and binary", PLY, "binary_values_of_either_order"),
            ("faces", PLY, "faces_edges_and_types"),
            ("edges", PLY, "faces_edges_and_types"),
            ("strips", TEST_CLAIMS, "strips_of_ply_and_attributes_of_vtk"),
            ("other elements (left out)", TEST_HOSTILE, "capitals_are_read_where_other_readers_read_them"),
            ("ASCII", TEST_FILES, "what_is_written_reads_back_bit_for_bit"),
            ("triangles", TEST_FILES, "what_is_written_reads_back_bit_for_bit"),
            ("edges", TEST_FILES, "what_is_written_reads_back_bit_for_bit"),
        ],
    ),
    (
        "OFF",
        &[
            ("ASCII", OFF, "counts_on_either_line_and_colours"),
            ("also with normals", OFF, "counts_on_either_line_and_colours"),
            (
                "colours and texture coordinates (`NOFF`, `COFF`, `STOFF`)",
                OFF,
                "counts_on_either_line_and_colours",
            ),
            ("binary", TEST_CLAIMS, "what_is_not_read_is_refused_by_name"),
            ("four coordinates", TEST_CLAIMS, "what_is_not_read_is_refused_by_name"),
        ],
    ),
    (
        "VTK legacy",
        &[
            ("ASCII and binary", TEST_VTK_LEGACY, "every_form_holds_the_same_mesh"),
            ("up to version 5.1", TEST_VTK_LEGACY, "every_form_holds_the_same_mesh"),
            ("polygon data", TEST_VTK_LEGACY, "every_form_holds_the_same_mesh"),
            ("unstructured grids", TEST_VTK_LEGACY, "every_form_holds_the_same_mesh"),
            ("points of any number type", VTK_LEGACY_NUMBERS, "numbers_of_every_type"),
            ("field data is skipped", VTK_LEGACY_DATA_SET, "field_data_and_remarks_are_passed_over"),
            (
                "and attributes behind the mesh are ignored",
                TEST_CLAIMS,
                "strips_of_ply_and_attributes_of_vtk",
            ),
            ("structured data sets", TEST_CLAIMS, "what_is_not_read_is_refused_by_name"),
        ],
    ),
    (
        "VTU, VTP",
        &[
            ("ASCII", VTK_XML, "ascii_binary_appended_and_compressed_arrays"),
            ("base64", VTK_XML, "ascii_binary_appended_and_compressed_arrays"),
            ("appended", VTK_XML, "ascii_binary_appended_and_compressed_arrays"),
            (
                "raw or compressed with zlib",
                TEST_CLAIMS,
                "compressed_and_binary_files_hold_the_mesh_of_the_others",
            ),
            ("LZ4 or LZMA", TEST_CLAIMS, "compressed_and_binary_files_hold_the_mesh_of_the_others"),
            ("both byte orders", VTK_XML, "ascii_binary_appended_and_compressed_arrays"),
            ("structured data sets", TEST_CLAIMS, "what_is_not_read_is_refused_by_name"),
            ("VTU in ASCII", TEST_FILES, "what_is_written_reads_back_bit_for_bit"),
            ("all kinds", TEST_FILES, "what_is_written_reads_back_bit_for_bit"),
        ],
    ),
    (
        "Gmsh `.msh`",
        &[
            ("ASCII and binary", TEST_CLAIMS, "compressed_and_binary_files_hold_the_mesh_of_the_others"),
            ("versions 1", GMSH_ASCII, "all_versions_hold_the_same_mesh"),
            ("2 and 4", GMSH_ASCII, "all_versions_hold_the_same_mesh"),
            ("both byte orders", TEST_CLAIMS, "compressed_and_binary_files_hold_the_mesh_of_the_others"),
            ("physical groups are parts", GMSH_ASCII, "all_versions_hold_the_same_mesh"),
            ("polygons and polyhedra", TEST_CLAIMS, "what_is_left_out_is_counted"),
        ],
    ),
    (
        "MEDIT `.mesh`",
        &[
            ("ASCII", MEDIT, "sections_of_every_sort"),
            ("references are parts", MEDIT, "sections_of_every_sort"),
            ("binary (`.meshb`)", TEST_CLAIMS, "what_is_not_read_is_refused_by_name"),
        ],
    ),
    (
        "TetGen `.node`, `.ele`",
        &[
            ("either file", TETGEN, "either_file_leads_to_the_other"),
            ("with the other beside it", TETGEN, "either_file_leads_to_the_other"),
            ("regions are parts", TETGEN, "either_file_leads_to_the_other"),
            ("`.face`", TEST_CLAIMS, "what_is_not_read_is_refused_by_name"),
            ("`.edge`", TEST_CLAIMS, "what_is_not_read_is_refused_by_name"),
            ("`.poly`", TEST_CLAIMS, "what_is_not_read_is_refused_by_name"),
        ],
    ),
    (
        "Vega `.veg`",
        &[
            ("tetrahedra and cubes", VEGA, "tetrahedra_sets_and_included_files"),
            ("sets as parts", VEGA, "tetrahedra_sets_and_included_files"),
            ("`*INCLUDE`", VEGA, "tetrahedra_sets_and_included_files"),
            ("materials", VEGA, "tetrahedra_sets_and_included_files"),
        ],
    ),
    (
        "Abaqus `.inp`",
        &[
            ("nodes", ABAQUS_READING, "nodes_elements_and_sets"),
            ("elements", ABAQUS_READING, "nodes_elements_and_sets"),
            ("sets and parts", ABAQUS_READING, "every_part_counts_its_own_nodes"),
            ("`*INCLUDE`", ABAQUS_READING, "nodes_elements_and_sets"),
            ("generated nodes and elements", TEST_CLAIMS, "what_is_not_read_is_refused_by_name"),
            ("moved instances (refused)", TEST_CLAIMS, "what_is_not_read_is_refused_by_name"),
            ("sets of an assembly (left out)", ABAQUS_READING, "every_part_counts_its_own_nodes"),
        ],
    ),
    (
        "glTF `.gltf`, `.glb`",
        &[
            ("the scene that is shown", TEST_CLAIMS, "primitives_nodes_and_buffers_of_gltf"),
            ("triangles", TEST_CLAIMS, "primitives_nodes_and_buffers_of_gltf"),
            ("strips", TEST_CLAIMS, "primitives_nodes_and_buffers_of_gltf"),
            ("fans", TEST_CLAIMS, "primitives_nodes_and_buffers_of_gltf"),
            ("lines", TEST_CLAIMS, "primitives_nodes_and_buffers_of_gltf"),
            ("transforms", TEST_CLAIMS, "primitives_nodes_and_buffers_of_gltf"),
            ("buffers within or beside it", TEST_CLAIMS, "primitives_nodes_and_buffers_of_gltf"),
            ("nodes are parts", TEST_CLAIMS, "primitives_nodes_and_buffers_of_gltf"),
            (
                "corners of a node in one place become one vertex",
                TEST_CLAIMS,
                "primitives_nodes_and_buffers_of_gltf",
            ),
            ("compressed meshes (refused)", TEST_CLAIMS, "what_is_not_read_is_refused_by_name"),
            (
                "skins and morph targets (counted; positions at rest)",
                TEST_CLAIMS,
                "what_is_left_out_is_counted",
            ),
        ],
    ),
];

/// What the script that compares says of a format and a tool.
pub(crate) const TOOLS: &[Claim] = &[
    ("OBJ", "meshio", "(\"obj\", \"obj\", {})"),
    ("OBJ", "VTK", "vtk.vtkOBJWriter"),
    ("OBJ", "trimesh", "(\"obj\", \"obj\", {}), (\"off\", \"off\", {}), (\"stl\", \"stl\", {})"),
    ("STL", "meshio", "(\"stl\", \"stl\", {\"binary\": True})"),
    ("STL", "VTK", "vtk.vtkSTLWriter"),
    ("STL", "trimesh", "(\"stl\", \"stl_ascii\", {})"),
    ("PLY", "meshio", "(\"ply\", \"ply\", {\"binary\": binary})"),
    ("PLY", "VTK", "vtk.vtkPLYWriter"),
    ("PLY", "trimesh", "(\"ply\", \"ply\", {\"vertex_normal\": True})"),
    ("OFF", "meshio", "(\"off\", \"off\", {}), (\"stl\", \"stl\", {\"binary\": False})"),
    ("OFF", "trimesh", "(\"off\", \"off\", {}), (\"stl\", \"stl\", {})"),
    ("VTK legacy", "meshio", "(\"vtk42\", \"vtk51\")"),
    ("VTK legacy", "VTK", "vtk.vtkUnstructuredGridWriter"),
    ("VTU, VTP", "meshio", "(\"vtu\", \"vtu\", {\"binary\": True, \"compression\": name})"),
    ("VTU, VTP", "VTK", "vtk.vtkXMLPolyDataWriter"),
    ("Gmsh `.msh`", "meshio", "(\"gmsh 2.2\", \"gmsh 4.0\", \"gmsh 4.1\")"),
    ("Gmsh `.msh`", "Gmsh", "gmsh.write(str(path))"),
    ("MEDIT `.mesh`", "meshio", "(\"mesh\", \"medit\", {})"),
    ("TetGen `.node`, `.ele`", "meshio", "(\"node\", \"tetgen\", {}), (\"ele\", \"tetgen\", {})"),
    ("Abaqus `.inp`", "meshio", "(\"inp\", \"abaqus\", {})"),
    ("glTF `.gltf`, `.glb`", "trimesh", "(\"glb\", \"glb\", {})"),
];
