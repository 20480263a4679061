"""The documentation: complete, well formed, and its examples are right."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator

import pytest

from spvls.binary.assemble import AssembleError, assemble
from spvls.diagnostic import Diagnostic
from spvls.grammar import docs, tables
from spvls.grammar.data_text import data_folder
from spvls.grammar.docs import Entry, Example
from spvls.grammar.environments import environments
from spvls.grammar.keys import keys, resolve
from spvls.grammar.records import Enumerant, Operand
from spvls.ide.documentation.example import ExampleError, complete
from spvls.ide.documentation.example_names import constant, type_of, type_prefix
from spvls.validate.validator import validate

FAMILIES = {
    "instructions": docs.files("instructions"),
    "enumerants": docs.files("enumerants"),
    "extended": docs.files("extended"),
    "text": ["text.md", "limits.md"],
}
FILES = [file for files in FAMILIES.values() for file in files]
WIDTH = 125
RESULTS = ("IdResultType", "IdResult")

_TASK_SEQUENCES = ("TypeTaskSequence", "TaskSequenceCreate", "TaskSequenceAsync", "TaskSequenceGet", "TaskSequenceRelease")
REFUSED = {
    "OpTypeStructContinuedINTEL": "spirv-val checks the part as an instruction of a function",
    "OpConstantCompositeContinuedINTEL": "spirv-val checks the part as an instruction of a function",
    "OpSpecConstantCompositeContinuedINTEL": "spirv-val checks the part as an instruction of a function",
    "OpCompositeConstructContinuedINTEL": "spirv-val counts only the parts of the first instruction",
    "OpTypeBufferSurfaceINTEL": "spirv-val checks the type as an instruction of a function",
    "OpUntypedVariableLengthArrayINTEL": "spirv-val takes no type as its operand",
    "Capability.LongCompositesINTEL": "spirv-val counts only the parts of the first instruction",
    "Decoration.InitModeALTERA": "spirv-val does not know the kind of the operand",
    "Decoration.ConditionalINTEL": "spirv-val does not know that the decoration takes an id",
    **dict.fromkeys(
        (*(f"Op{what}ALTERA" for what in _TASK_SEQUENCES), "Capability.TaskSequenceALTERA"),
        "spirv-val does not know that OpTaskSequenceCreateALTERA names a function",
    ),
}
"""Examples that spirv-val does not validate although their extension allows them."""

TOO_OLD = re.compile(
    r"Invalid [\w ]+: \d+|Unknown NonSemantic|requires one of these extensions: SPV_(INTEL_|EXT_|NV_(compute_shader_derivatives|shader_subgroup_partitioned))|expected (no )?more operands"
    r"|(Type\w+|AliasDomainDecl)INTEL must appear in a block|OpTypeVmeImageINTEL|Operand '.*' cannot be a type"
    r"|has not been defined\n.*Op(ConstantFunctionPointer|AsmTarget)INTEL|Id \d+ is defined more than once|DebugTypeInheritance: expected operand Child",
    re.IGNORECASE,
)
"""What an older spirv-val says of what it does not know, or knows in an earlier form."""

IMPLIES_LESS = ("Capability.AtomicStorageOps", "Capability.Int64ImageEXT")
"""Capabilities that imply less for an older spirv-val, which misses Shader or Int64 in their examples."""

EXAMPLED = ("Decoration", "ExecutionMode", "BuiltIn", "StorageClass", "MemoryAccess", "ImageOperands", "Capability")
"""The kinds whose enumerants have examples."""

WITHOUT_EXAMPLE = {
    **dict.fromkeys(
        (f"OpImageSparseSampleProj{form}" for form in ("ImplicitLod", "ExplicitLod", "DrefImplicitLod", "DrefExplicitLod")),
        "reserved: nothing allows its use",
    ),
    "GLSL.std.450.IMix": "never specified",
    "Capability.RayQueryProvisionalKHR": "only a name, from before the extension was ratified",
    "Capability.RayTracingProvisionalKHR": "only a name, from before the extension was ratified",
    "Capability.FloatingPointModeINTEL": "only a name",
    "Capability.VectorAnyINTEL": "only a name",
}
"""Entries that no module can show."""

DEPRECATED = "capability/core-use-is-not-deprecated"
"""What the example of an entry may have that is deprecated itself."""

SHOWN = {"ImageOperands.None": "image/image-operands-are-not-empty"}
"""The only other findings that an example may have: those that its entry is about."""

UNCHECKED = {
    "Groups": r"OpGroup\w+NonUniformAMD",
    "SPV_AMD_shader_ballot": r"OpGroup\w+NonUniformAMD",
    "SPV_EXT_demote_to_helper_invocation": r"OpIsHelperInvocationEXT",
    "SPV_EXT_float8": r"OpFDot4MixAcc32VALVE",
    "SPV_EXT_shader_atomic_float_add": r"Capability\.AtomicFloat16(AddEXT|VectorNV)",
    "SPV_KHR_cooperative_matrix": r"OpComposite\w+CoopMatQCOM",
    "SPV_EXT_shader_viewport_index_layer": r"Decoration\.SecondaryViewportRelativeNV",
    "SPV_KHR_ray_query": r"Capability\.RayTraversalPrimitiveCullingKHR",
    "SPV_KHR_ray_tracing": r".*",
    "SPV_KHR_untyped_pointers": r"BuiltIn\.(Resource|Sampler)HeapEXT|Capability.\w+INTEL|OpUntyped\w+|OpBufferPointerEXT",
}
"""What the modules of some entries declare because the extensions' texts ask for it; no rule does."""


def prefix(file: str) -> str:
    """What the keys of a file's entries begin with."""
    folder, _, name = file.removesuffix(".md").partition("/")
    return f"{name}." if folder in ("enumerants", "extended") else ""


def entries(file: str) -> Iterator[Entry]:
    for heading, text in docs.texts(file).items():
        yield docs.parse(prefix(file) + heading, text)


def expected(file: str) -> list[str]:
    """The headings that a file has to have, in order."""
    folder, _, name = file.removesuffix(".md").partition("/")
    if folder == "enumerants":
        return list(tables.kind(name).entries)
    if folder == "extended":
        known = next(known for known in tables.extended_sets() if known.name == name)
        own = [f"{kind.name}.{enumerant}" for kind in known.kinds.values() for enumerant in kind.entries]
        return [*known.entries, *own]
    raise ValueError(file)


def operands(key: str) -> list[str]:
    """The names of the operands that an entry has to say something of."""
    subject = resolve(key)
    if subject is None:
        return []
    record = subject.record
    declared: tuple[Operand, ...] = record.parameters if isinstance(record, Enumerant) else record.operands
    return [operand.name or operand.kind for operand in declared if operand.kind not in RESULTS]


def sentences(text: str) -> int:
    return len(re.findall(r"[.!?](?=\s|$)", re.sub(r"`[^`]*`", "code", text)))


def form_of(entry: Entry) -> str:
    """An entry in the one form that it may have, less its line breaks."""
    blocks = [entry.summary, *entry.paragraphs]
    if entry.operands:
        blocks.append(" ".join(f"- `{name}`: {phrase}" for name, phrase in entry.operands))
    if entry.example is not None:
        blocks.append("```")
    return "\n".join(blocks)


def form_as_written(text: str) -> str:
    text = re.sub(r"(?ms)^```.*?^```$", "```", text.strip("\n"))
    return "\n".join(" ".join(block.split()) for block in text.split("\n\n"))


def problems(entry: Entry, names: list[str]) -> list[str]:
    """What is wrong with an entry whose operands are to be `names`."""
    prose = [entry.summary, *entry.paragraphs]
    text = re.sub(r"(?ms)^```.*?^```$", "", entry.markdown)
    bare = re.sub(r"`[^`]*`", "", text)
    found = {
        "the first paragraph is not one sentence": sentences(entry.summary) != 1 or not entry.summary.endswith("."),
        "more than three paragraphs follow the first": len(prose) > 4,
        "a paragraph has more than three sentences": any(sentences(paragraph) > 3 for paragraph in prose),
        "a paragraph ends without a full stop": any(paragraph[-1] not in ".:" for paragraph in prose),
        "an operand's phrase ends without a full stop": any(phrase[-1] != "." for _, phrase in entry.operands),
        f"the operands are not {names}": [name for name, _ in entry.operands] != names,
        "it is not in the form of an entry": form_of(entry) != form_as_written(entry.markdown),
        "there is a heading, a table, a quotation, a nested list or HTML": re.search(
            r"(?m)^(#|\||>|[ \t]+[-*] |\d+\. )|</?\w+>", bare
        ),
        "there is a link": "](" in bare,
        "a code span is left open": text.count("`") % 2,
        "emphasis is left open": bare.count("*") % 2,
        "a line is too long": max(map(len, entry.markdown.split("\n"))) > WIDTH,
        "a line ends with a space": re.search(r"(?m)[ \t]$", entry.markdown),
    }
    return [problem for problem, present in found.items() if present]


def test_coverage_by_kind() -> None:
    everything = Counter(re.sub(r"\.?[^.]*$", "", key) or "instructions" for key in keys())
    missing = [key for key in keys() if docs.lookup(key) is None]
    lacking = Counter(re.sub(r"\.?[^.]*$", "", key) or "instructions" for key in missing)
    for kind, count in sorted(everything.items()):
        print(f"{kind}: {count - lacking[kind]} of {count}, {100 * (count - lacking[kind]) // count} %")
    assert missing == []


def test_every_instruction_stands_in_one_file() -> None:
    headings = [name for file in FAMILIES["instructions"] for name in docs.texts(file)]
    assert sorted(headings) == sorted(opcode.name for opcode in tables.opcodes())


@pytest.mark.parametrize("file", FAMILIES["instructions"])
def test_instructions_of_a_file_stand_in_the_order_of_the_tables(file: str) -> None:
    order = {opcode.name: place for place, opcode in enumerate(tables.opcodes())}
    places = [order[name] for name in docs.texts(file)]
    assert places == sorted(places)


@pytest.mark.parametrize("file", FAMILIES["enumerants"] + FAMILIES["extended"])
def test_a_file_has_the_entries_of_its_family_and_no_others(file: str) -> None:
    assert list(docs.texts(file)) == expected(file)


def test_every_family_has_a_file() -> None:
    kinds = {f"enumerants/{kind.name}.md" for kind in tables.kinds() if kind.entries}
    assert kinds == set(FAMILIES["enumerants"])
    sets = {f"extended/{known.name}.md" for known in tables.extended_sets()}
    assert sets == set(FAMILIES["extended"])


@pytest.mark.parametrize("file", FILES)
def test_a_file_begins_with_a_title_and_a_line(file: str) -> None:
    with open(f"{data_folder()}/docs/{file}", encoding="utf-8") as stream:
        text = stream.read()
    title, intro = text.split("\n\n")[:2]
    assert re.fullmatch(r"# \S.*", title)
    assert intro.endswith(".") and not intro.startswith("#")
    assert text.endswith("\n") and not text.endswith("\n\n")
    headings = re.findall(r"(?m)^## (.*)$", re.sub(r"(?ms)^```.*?^```$", "", text))
    assert headings == list(docs.texts(file)), "a heading twice"


@pytest.mark.parametrize("file", FILES)
def test_entries_are_well_formed(file: str) -> None:
    found = [(entry.key, problem) for entry in entries(file) for problem in problems(entry, operands(entry.key))]
    assert found == []


@pytest.mark.parametrize("file", FILES)
def test_names_of_instructions_and_extensions_exist(file: str) -> None:
    known = {name for opcode in tables.opcodes() for name in (opcode.name, *opcode.aliases)} | {"OpUnknown"}
    for entry in entries(file):
        for name in re.findall(r"`(Op[A-Z]\w+)`", entry.markdown):
            assert name in known or name in operands(entry.key), (entry.key, name)
        for name in re.findall(r"`(SPV_\w+)`", entry.markdown):
            assert name in tables.extension_names() or tables.extended_set(name), (entry.key, name)


SOUND = "Adds two numbers.\n\nMore of it.\n\n- `A`: one.\n- `B`: the\n  other.\n\n```spirv env=spv1.3\nOpNop\n```"
MALFORMED = [
    ("Adds two numbers. Really.\n\n- `A`: one.\n- `B`: other.", "first paragraph"),
    ("Adds two numbers\n\n- `A`: one.\n- `B`: other.", "first paragraph"),
    ("Adds.\n\na.\n\nb.\n\nc.\n\nd.\n\n- `A`: one.\n- `B`: other.", "more than three paragraphs"),
    ("Adds.\n\nA. b. c. d.\n\n- `A`: one.\n- `B`: other.", "three sentences"),
    ("Adds.\n\n- `A`: one.", "operands"),
    ("Adds.\n\n- `B`: other.\n- `A`: one.", "operands"),
    ("Adds.\n\n- `A`: one.\n- `B`: other.\n- `C`: third.", "operands"),
    ("Adds.\n\n- `A`: one\n- `B`: other.", "phrase"),
    ("Adds.\n\n- `A`: one.\n- B: other.", "form"),
    ("Adds.\n\n- `A`: one.\n- `B`: other.\n\nMore.", "form"),
    ("Adds.\n\n- `A`: one.\n\n- `B`: other.", "form"),
    ("Adds.\n\n### Notes\n\n- `A`: one.\n- `B`: other.", "heading"),
    ("Adds.\n\nA [link](x).\n\n- `A`: one.\n- `B`: other.", "link"),
    ("Adds.\n\nA `span.\n\n- `A`: one.\n- `B`: other.", "span"),
    ("Adds.\n\nA *word.\n\n- `A`: one.\n- `B`: other.", "emphasis"),
    ("Adds.\n\nA <b>word</b>.\n\n- `A`: one.\n- `B`: other.", "HTML"),
    ("Adds.\n\n- `A`: one.\n- `B`: other.\n\n```spirv\nOpNop\n```\n\n```spirv\nOpNop\n```", "form"),
    ("Adds " + "x" * 130 + ".\n\n- `A`: one.\n- `B`: other.", "too long"),
    ("Adds. \n\n- `A`: one.\n- `B`: other.", "space"),
]


@pytest.mark.parametrize(("text", "expected"), MALFORMED)
def test_malformed_entries_are_found(text: str, expected: str) -> None:
    found = problems(docs.parse("OpX", text), ["A", "B"])
    assert any(expected in problem for problem in found), found


def test_a_sound_entry_is_sound() -> None:
    assert problems(docs.parse("OpX", SOUND), ["A", "B"]) == []


def test_reading_an_entry() -> None:
    entry = docs.parse("OpX", SOUND)
    assert entry == Entry(
        "OpX",
        "Adds two numbers.",
        ("More of it.",),
        (("A", "one."), ("B", "the other.")),
        Example("spirv", "OpNop\n", environment="spv1.3"),
        SOUND,
    )


def test_an_unknown_option_of_an_example_is_refused() -> None:
    with pytest.raises(ValueError, match="'version'"):
        docs.parse("OpX", "Adds.\n\n```spirv version=1.3\nOpNop\n```")


@pytest.mark.parametrize(
    ("key", "canonical"),
    [
        ("OpFAdd", "OpFAdd"),
        ("OpDecorateStringGOOGLE", "OpDecorateString"),
        ("StorageClass.Private", "StorageClass.Private"),
        ("Capability.ShaderNonUniformEXT", "Capability.ShaderNonUniform"),
        ("GLSL.std.450.Sqrt", "GLSL.std.450.Sqrt"),
        ("DebugInfo.DebugInfoFlags.FlagIsPublic", "DebugInfo.DebugInfoFlags.FlagIsPublic"),
        ("OpenCL.DebugInfo.100.DebugInfoFlags.FlagIsPublic", "OpenCL.DebugInfo.100.DebugInfoFlags.FlagIsPublic"),
        ("NonSemantic.Shader.DebugInfo.100.DebugTypeBasic", "NonSemantic.Shader.DebugInfo.DebugTypeBasic"),
        (
            "NonSemantic.ClspvReflection.5.KernelPropertyFlags.MayUsePrintf",
            "NonSemantic.ClspvReflection.KernelPropertyFlags.MayUsePrintf",
        ),
        ("Header.Bound", "Header.Bound"),
        ("Syntax.String", "Syntax.String"),
    ],
)
def test_lookup(key: str, canonical: str) -> None:
    entry = docs.lookup(key)
    assert entry is not None
    assert entry.key == canonical


@pytest.mark.parametrize("key", ["", "OpFad", "Private", "StorageClass", "StorageClass.Privat", "A.b.c", "Header.Word"])
def test_lookup_of_nothing(key: str) -> None:
    assert docs.lookup(key) is None


def test_a_lookup_reads_only_the_family_of_its_key() -> None:
    docs.texts.cache_clear()
    docs.lookup("StorageClass.Private")
    assert docs.texts.cache_info().currsize == 1


# Examples


def examples(file: str) -> Iterator[tuple[Entry, Example]]:
    for entry in entries(file):
        if entry.example is not None and entry.example.language == "spirv":
            yield entry, entry.example


SAYS_ITS_RESULT = re.compile(r"[Rr]esult|Boolean|exactly|32-bit")
SILENT_ON_RESULT = {f"OpImageSparseSampleProj{form}" for form in ("ImplicitLod", "ExplicitLod")}
"""Opcodes that have no use."""


def test_every_opcode_with_a_result_says_what_it_is() -> None:
    silent = set()
    for opcode in tables.opcodes():
        entry = docs.lookup(opcode.name)
        assert entry is not None
        said = " ".join([entry.summary, *entry.paragraphs, *(phrase for _, phrase in entry.operands)])
        if any(operand.kind == "IdResultType" for operand in opcode.operands) and not SAYS_ITS_RESULT.search(said):
            silent.add(opcode.name)
    assert silent == SILENT_ON_RESULT


def test_every_entry_has_an_example_of_itself() -> None:
    missing = set()
    for key in keys():
        subject = resolve(key)
        entry = docs.lookup(key)
        assert subject is not None and entry is not None
        if isinstance(subject.record, Enumerant) and subject.record.kind not in EXAMPLED:
            continue
        if entry.example is None:
            missing.add(key)
            continue
        assert re.search(rf"(?<!\w){re.escape(subject.record.name)}(?!\w)", entry.example.code), key
    assert missing == set(WITHOUT_EXAMPLE)


@pytest.mark.parametrize("file", [file for file in FILES if file != "text.md"])
def test_a_completed_example_declares_what_its_lines_use(file: str) -> None:
    for entry, example in examples(file):
        module = complete(example)
        lines = example.code.splitlines()
        assert set(lines) - set(module.splitlines()) == set(), entry.key
        declared = set(re.findall(r"^ *%(\w+) =", module, re.MULTILINE))
        strings = re.sub(r'"(\\.|[^"\\])*"', "", example.code)
        assert set(re.findall(r"%(\w+)", strings)) <= declared, entry.key


@pytest.mark.parametrize("file", FILES)
def test_examples_are_short_and_their_options_exist(file: str) -> None:
    for entry in entries(file):
        if entry.example is None:
            continue
        assert entry.example.language in ("spirv", "text"), entry.key
        lines = [line for line in entry.example.code.splitlines() if not line.startswith("    ")]
        functions = lines.count("OpFunctionEnd")
        assert 1 <= len(lines) <= (3 + 7 * functions if functions else 7), entry.key
        assert entry.example.environment in environments(), entry.key
        assert tables.kind("ExecutionModel").get(entry.example.stage) or entry.example.stage == "Graph", entry.key
        assert all(map(tables.kind("Capability").get, entry.example.capabilities)), entry.key
        assert tables.extension_names().issuperset(entry.example.extensions), entry.key


_EARLY = re.compile(r"\s*Op(ExecutionMode|ExecutionModeId|Decorate\w*|MemberDecorate\w*)\b")
_DECLARING = re.compile(r"\s*(%\w+ = )?Op(?!Capability|Extension|ExtInstImport|MemoryModel|EntryPoint|SamplerImage|String|Name|MemberName|Source)")


@pytest.mark.parametrize("file", FILES)
def test_examples_declare_nothing_after_a_function(file: str) -> None:
    for entry, example in examples(file):
        _, _, after = example.code.partition("OpFunctionEnd")
        assert not re.search(r"= Op(Type|Constant|SpecConstant|UntypedVariableKHR .* (?!Function))", after), entry.key


@pytest.mark.parametrize("file", FILES)
def test_examples_have_modes_and_decorations_before_declarations(file: str) -> None:
    for entry, example in examples(file):
        lines = example.code.splitlines()
        if "OpDecorationGroup" in example.code:
            continue  # which its decorations are above and its targets below
        early = [at for at, line in enumerate(lines) if _EARLY.match(line)]
        others = [at for at, line in enumerate(lines) if _DECLARING.match(line) and at not in early]
        assert not early or not others or max(early) < min(others), entry.key


@pytest.mark.parametrize("file", FILES)
def test_examples_assemble(file: str) -> None:
    failures = []
    for entry, example in examples(file):
        try:
            assemble(complete(example), target_env=example.environment)
        except (ExampleError, AssembleError) as error:
            failures.append(f"{entry.key}: {error}")
    assert failures == []


@pytest.mark.parametrize("file", [file for file in FILES if any(examples(file))])
def test_examples_validate_with_the_reference_validator(file: str) -> None:
    validator = shutil.which("spirv-val")
    if validator is None:
        pytest.skip("spirv-val is not installed")
    failures = []
    for entry, example in examples(file):
        if entry.key in REFUSED:
            print(f"{entry.key}: {REFUSED[entry.key]}")
            continue
        binary = assemble(complete(example), target_env=example.environment)
        command = [validator, "--target-env", example.environment, "-"]
        done = subprocess.run(command, input=binary, capture_output=True, check=False)
        message = (done.stdout + done.stderr).decode().strip()
        if done.returncode and (TOO_OLD.search(message) or entry.key in IMPLIES_LESS):
            print(f"{entry.key}: this spirv-val does not know it ({message})")
        elif done.returncode:
            failures.append(f"{entry.key}: {message}")
    assert failures == []


@pytest.mark.parametrize("file", [file for file in FILES if any(examples(file))])
def test_examples_validate(file: str) -> None:
    failures = []
    for entry, example in examples(file):
        if entry.key in REFUSED:
            print(f"{entry.key}: as the reference does ({REFUSED[entry.key]})")
            continue
        found = validate(complete(example), target_env=example.environment)
        failures += [f"{entry.key}: {finding.message}" for finding in found if not is_expected(entry, finding)]
    assert failures == []


def is_expected(entry: Entry, finding: Diagnostic) -> bool:
    return finding.rule in (DEPRECATED, SHOWN.get(entry.key))


def dispensable(entry: Entry, example: Example) -> Iterator[str]:
    """The capabilities and extensions that the module of an example does without, those aside that the entry names."""
    lines = complete(example).splitlines()
    imported = [line.split('"')[1] for line in lines if "OpExtInstImport" in line]
    for at, line in enumerate(lines):
        opcode, _, name = line.replace('"', "").partition(" ")
        if opcode not in ("OpCapability", "OpExtension") or line in example.code.splitlines():
            continue
        if name in (*example.capabilities, *example.extensions, *imported) or re.fullmatch(UNCHECKED.get(name, ""), entry.key):
            continue
        found = validate("\n".join(lines[:at] + lines[at + 1 :]), target_env=example.environment)
        if all(is_expected(entry, finding) for finding in found):
            yield name


@pytest.mark.parametrize("file", [file for file in FILES if any(examples(file))])
def test_a_completed_example_declares_no_more_than_it_needs(file: str) -> None:
    assert [(entry.key, name) for entry, example in examples(file) for name in dispensable(entry, example)] == []


@pytest.mark.parametrize("file", [file for file in FILES if any(examples(file))])
def test_a_completed_example_declares_the_extensions_of_its_imports(file: str) -> None:
    for entry, example in examples(file):
        module = complete(example)
        imported = set(re.findall(r'OpExtInstImport "(.*)"', module)) & tables.extension_names()
        assert imported <= set(re.findall(r'OpExtension "(.*)"', module)), entry.key


@pytest.mark.parametrize(
    ("key", "present", "absent"),
    [
        ("Decoration.PerPrimitiveEXT", "SPV_EXT_mesh_shader", "SPV_NV_mesh_shader"),
        ("Decoration.PerVertexKHR", "SPV_KHR_fragment_shader_barycentric", "SPV_NV_fragment_shader_barycentric"),
        ("OpConvertUToAccelerationStructureKHR", "SPV_KHR_ray_tracing", "NV"),
        ("BuiltIn.CurrentRayTimeNV", "RayTracingKHR", "RayTracingNV"),
        ("OpCooperativeVectorReduceSumAccumulateNV", "CooperativeVectorNV", "LongVectorEXT"),
        ("OpGroupFMaxNonUniformAMD", "Groups", "GroupNonUniformArithmetic"),
        ("SPV_AMD_gcn_shader.TimeAMD", "SPV_AMD_gcn_shader", "Kernel"),
    ],
)
def test_alternatives_of_a_completed_example(key: str, present: str, absent: str) -> None:
    entry = docs.lookup(key)
    assert entry is not None and entry.example is not None
    declared = re.findall(r'^Op(?:Capability|Extension) "?(\w+)', complete(entry.example), re.MULTILINE)
    assert present in declared and not any(absent in name for name in declared)


# The completion of examples


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("v4float", "OpTypeVector %float 4"),
        ("mat3v4float", "OpTypeMatrix %v4float 3"),
        ("arr_v4float_2", "OpTypeArray %v4float %uint_2"),
        ("rta_uint", "OpTypeRuntimeArray %uint"),
        ("struct_float_arr_uint_4_v2int", "OpTypeStruct %float %arr_uint_4 %v2int"),
        ("ptr_StorageBuffer_struct_rta_uint", "OpTypePointer StorageBuffer %struct_rta_uint"),
        ("fn_void_ptr_Generic_uchar", "OpTypeFunction %void %ptr_Generic_uchar"),
        ("device_event", "OpTypeDeviceEvent"),
        ("image_2d_array", "OpTypeImage %float 2D 0 1 0 1 Unknown"),
        ("sampled_image_2d_ms", "OpTypeSampledImage %image_2d_ms"),
        ("ustorage_image_2d", "OpTypeImage %uint 2D 0 0 0 2 R32ui"),
    ],
)
def test_types_by_name(name: str, text: str) -> None:
    declared = type_of(name)
    assert declared is not None
    assert declared.text(kernel=False) == text


@pytest.mark.parametrize("name", ["", "v5float", "ptr_Nowhere_int", "struct", "arr_float", "sum", "image_4d", "fn"])
def test_names_of_no_type(name: str) -> None:
    assert type_of(name) is None


def test_numbered_names() -> None:
    assert type_prefix("device_event_2") == "device_event"
    assert type_prefix("image_2d_2") == "image_2d"
    assert type_prefix("arr_float_4") == "arr_float_4"
    assert type_prefix("sum_2") is None


def test_constants_by_name() -> None:
    assert constant("int_n5") == ("int", "-5")
    assert constant("float_0_5") == ("float", "0.5")
    assert constant("bool_1") is None


def test_layout_of_blocks() -> None:
    block = type_of("struct_float_v3float_arr_float_4_mat4v4float")
    assert block is not None
    assert [offset for _, offset in block.members(uniform=False)] == [0, 16, 28, 48]
    assert [offset for _, offset in block.members(uniform=True)] == [0, 16, 32, 96]


def test_a_completed_example() -> None:
    example = Example("spirv", "%sum = OpFAdd %double %some_double %double_0_5\nOpBranch %next\n")
    assert complete(example).splitlines() == [
        "; spvls: target-env=spv1.6",
        "OpCapability Shader",
        "OpCapability Float64",
        "OpMemoryModel Logical GLSL450",
        'OpEntryPoint GLCompute %main "main"',
        "OpExecutionMode %main LocalSize 1 1 1",
        "%void = OpTypeVoid",
        "%fn_void = OpTypeFunction %void",
        "%double = OpTypeFloat 64",
        "%ptr_Function_double = OpTypePointer Function %double",
        "%double_0_5 = OpConstant %double 0.5",
        "%main = OpFunction %void None %fn_void",
        "%main_entry = OpLabel",
        "%some_double_variable = OpVariable %ptr_Function_double Function",
        "%some_double = OpLoad %double %some_double_variable",
        "%sum = OpFAdd %double %some_double %double_0_5",
        "OpBranch %next",
        "%next = OpLabel",
        "OpReturn",
        "OpFunctionEnd",
    ]


def test_booleans_of_a_kernel_are_not_in_memory() -> None:
    lines = complete(Example("spirv", "%both = OpLogicalAnd %v2bool %some_v2bool %some_v2bool_2\n", stage="Kernel")).splitlines()
    assert "%some_v2bool = OpINotEqual %v2bool %some_v2uint %null_v2uint" in lines
    assert "%some_v2bool_2 = OpINotEqual %v2bool %some_v2uint_2 %null_v2uint" in lines
    assert not any("OpVariable %ptr_Function_v2bool" in line for line in lines)


def test_an_id_that_says_nothing_is_refused() -> None:
    with pytest.raises(ExampleError, match="%left"):
        complete(Example("spirv", "%sum = OpFAdd %float %left %float_1\n"))
