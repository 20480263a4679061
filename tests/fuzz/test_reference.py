"""The parts of the comparison with the reference that need no reference: mutants are whole, reduction finds the smallest
module, and clusters put together what belongs together."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

import spvls
from spvls.diagnostic import Diagnostic, Severity
from spvls.grammar import tables
from tests.corpus import BINARIES, FIXTURES, is_faulty, text_of
from tests.fuzz import comparison
from tests.fuzz.clusters import normal
from tests.fuzz.comparison import Comparison, compare_verdicts, drawn_environment, environments_for, natural_environments
from tests.fuzz.corpora import modules_below
from tests.fuzz.mutation import MUTATIONS, Mutation, mutate
from tests.fuzz.reduction import Reduction, numbered_anew
from tests.fuzz.reference import Report, Result
from tests.fuzz.words import Slot, Words, made, name_of, opcode_of
from tests.reference.driver import Answer, Message
from tests.reference.ours import Verdict

SHADERS = sorted((FIXTURES / "shaders").glob("*.spvasm")) + sorted((FIXTURES / "kernels").glob("*.spvasm"))
MODULES = {path.stem: spvls.assemble(text_of(path)) for path in SHADERS}
PER_MUTATION = 30


@pytest.mark.parametrize("path", [path for path in BINARIES if not is_faulty(path)], ids=lambda path: path.name)
def test_what_is_parsed_is_written_again(path: Path) -> None:
    contents = path.read_bytes()
    try:
        module = Words.parse(contents)
    except ValueError:
        assert contents[:1] != b"\x03" or "truncated" in path.name
    else:
        assert module.data() == contents


@pytest.mark.parametrize("name", MODULES)
def test_slots_are_all_words_of_an_instruction(name: str) -> None:
    module = Words.parse(MODULES[name])
    for words in module.code:
        at = 1
        for slot in module.slots(words):
            assert slot.at == at
            at += slot.width
        assert at == len(words), name_of(words)


def test_slots_follow_the_width_of_numbers_and_the_instruction_of_a_set() -> None:
    text = """
        OpCapability Int64
        OpCapability Kernel
        %cl = OpExtInstImport "OpenCL.std"
        OpMemoryModel Physical64 OpenCL
        %long = OpTypeInt 64 0
        %fn = OpTypeFunction %long %long
        %one = OpConstant %long 1
        %f = OpFunction %long None %fn
        %x = OpFunctionParameter %long
        %entry = OpLabel
        %v = OpExtInst %long %cl u_add_sat %x %one
        OpSwitch %v %end 5 %end
        %end = OpLabel
        OpReturnValue %v
        OpFunctionEnd
    """
    module = Words.parse(spvls.assemble(text))
    kinds = {name_of(words): [(slot.kind, slot.width) for slot in module.slots(words)] for words in module.code}
    number = ("LiteralContextDependentNumber", 2)
    assert kinds["OpConstant"][-1] == number
    assert kinds["OpSwitch"] == [("IdRef", 1), ("IdRef", 1), number, ("IdRef", 1)]
    assert kinds["OpExtInst"][3:] == [("LiteralExtInstInteger", 1), ("IdRef", 1), ("IdRef", 1)]


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.__name__)
def test_a_mutant_is_whole_and_says_what_was_done(mutation: Mutation) -> None:
    done = 0
    for seed in range(PER_MUTATION):
        chance = Random(seed)
        data = chance.choice(list(MODULES.values()))
        module = Words.parse(data)
        what = mutation(module, chance)
        if what is None:
            continue
        done += 1
        assert module.data() != data or "another" in what or "moved" in what
        again = Words.parse(module.data())
        assert all(opcode_of(words) for words in again.code)
        assert all(words[at] for words in again.code for at in _id_places(again, words)), what
    assert done


def _id_places(module: Words, words: list[int]) -> list[int]:
    return [slot.at for slot in _slots(module, words) if tables.kind(slot.kind).category == "id"]


def _slots(module: Words, words: list[int]) -> list[Slot]:
    try:
        return module.slots(words)
    except ValueError:  # of an opcode that takes fewer operands, or of a number whose type is another one now
        return []


def test_mutants_can_be_assembled() -> None:
    """What a listing of a mutant says makes the same words again, where it can be listed at all."""
    listed = 0
    for seed in range(60):
        chance = Random(seed)
        module = Words.parse(chance.choice(list(MODULES.values())))
        if not mutate(module, chance, 1):
            continue
        data = module.data()
        try:
            text = spvls.disassemble(data, friendly_names=False)
        except spvls.DisassembleError:
            continue
        listed += 1
        assert spvls.assemble(text, preserve_numeric_ids=True)[20:] == data[20:]
    assert listed > 30


def test_a_seed_makes_the_same_mutant() -> None:
    made_of = []
    for _ in range(2):
        module = Words.parse(next(iter(MODULES.values())))
        made_of.append((mutate(module, Random(7), 2), module.data()))
    assert made_of[0] == made_of[1]


def test_reduction_finds_the_smallest_module() -> None:
    contents = max(MODULES.values(), key=len)

    def holds(module: Words) -> bool:
        names = [name_of(words) for words in module.code]
        return "OpStore" in names and "OpMemoryModel" in names

    assert holds(Words.parse(contents))
    small = Reduction(Words.parse(contents), holds).run()
    assert sorted(map(name_of, small.code)) == ["OpMemoryModel", "OpStore"]
    assert [len(words) for words in small.code if name_of(words) == "OpStore"] == [3]


def test_reduction_removes_a_result_with_its_users() -> None:
    """No single instruction can go from a module whose ids must all be defined; results go with their users."""

    def holds(module: Words) -> bool:
        used = {
            words[slot.at] for words in module.code for slot in module.slots(words) if slot.kind != "IdResult" and "Id" in slot.kind
        }
        numbers = {words[slot.at] for words in module.code for slot in module.slots(words) if slot.kind.startswith("IdRef")}
        return (used | numbers) <= {*module.maker} and bool(module.places("OpTypeVector"))

    contents = max(MODULES.values(), key=len)
    assert holds(Words.parse(contents))
    small = Reduction(Words.parse(contents), holds).run()
    assert len(small.places("OpTypeVector")) == 1
    assert {name_of(words) for words in small.code} <= {"OpTypeVector", "OpTypeFloat", "OpTypeInt"}


def test_a_module_that_does_not_show_it_stays() -> None:
    contents = next(iter(MODULES.values()))
    assert Reduction(Words.parse(contents), lambda module: False).run().data() == contents


def test_reduction_asks_no_more_than_it_may() -> None:
    asked: list[Words] = []

    def holds(module: Words) -> bool:
        asked.append(module)
        return len(asked) % 2 == 0

    Reduction(Words.parse(max(MODULES.values(), key=len)), holds, asks=20).run()
    assert len(asked) <= 21


def test_ids_are_numbered_anew() -> None:
    module = Words([0x07230203, 0x00010000, 0, 900, 0], [made("OpTypeVoid", 700), made("OpTypeFunction", 800, 700)])
    small = numbered_anew(module)
    assert [words[1:] for words in small.code] == [[1], [2, 1]]
    assert small.header[3] == 3


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ID '12[%12]' is not a type: 7", "ID '3[%float]' is not a type: 12\n  %4 = OpLoad %3 %2"),
        ("Expected int scalar as Result Type: IAdd", "Expected int scalar as Result Type: ISub"),
        ("OpLoad Result Type <id> '1[%1]' is bad", "OpStore Result Type <id> '2[%2]' is bad"),
        ('name "a" of 0x10', 'name "b c" of 0x20'),
        ("  %1 = OpConstant %float 0x1p+128", "%x = OpConstant %half -0x0.8p-3"),
    ],
)
def test_messages_of_one_fault_are_one_cluster(one: str, other: str) -> None:
    assert normal(one) == normal(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("[VUID-StandaloneSpirv-None-04633] x", "[VUID-StandaloneSpirv-None-04634] x"),
        ("needs 16-bit storage", "needs 8-bit storage"),
        ("Expected int scalar", "Expected float scalar"),
    ],
)
def test_messages_of_two_faults_are_two_clusters(one: str, other: str) -> None:
    assert normal(one) != normal(other)


class _Recorded:
    """In the place of the reference: answers that are given beforehand."""

    def __init__(self, answer: Answer) -> None:
        self.driver = self
        self._answer = answer

    def validate(self, words: bytes, env: str) -> Answer:
        return self._answer

    def site(self, message: Message) -> str:
        return "site"


def _answer(instruction: int | None) -> Answer:
    return Answer(False, (Message(2, 0, 0, instruction, "wrong\nmore"),))


def _finding(instruction: int | None) -> Diagnostic:
    return Diagnostic("a/b", Severity.ERROR, "is wrong", instruction=instruction)


@pytest.mark.parametrize(
    ("answer", "found", "kind"),
    [
        (Answer(True), Verdict(), "same"),
        (_answer(5), Verdict((_finding(3), _finding(5))), "same"),
        (_answer(None), Verdict((_finding(3),)), "same"),
        (_answer(5), Verdict((_finding(3),)), "place"),
        (_answer(5), Verdict((_finding(None),)), "place"),
        (_answer(5), Verdict(), "miss"),
        (Answer(True), Verdict((_finding(3),)), "alarm"),
        (_answer(5), Verdict(raised="IndexError in f (g.py:1)"), "raised"),
        (Answer(None, died="status -11"), Verdict(), "died"),
        (Answer(False, (Message(2, 0, 0, 5, "Internal error: Unhandled operand type: 81"),)), Verdict(), "died"),
    ],
)
def test_what_differs_has_a_kind(monkeypatch: pytest.MonkeyPatch, answer: Answer, found: Verdict, kind: str) -> None:
    monkeypatch.setattr(comparison, "validated", lambda words, env: found)
    one = compare_verdicts(_Recorded(answer), b"", "spv1.6")  # type: ignore[arg-type]
    assert one.kind == kind
    if kind == "miss":
        assert one.cluster == "miss: wrong"
    if kind == "place":
        assert one.cluster == "place: wrong | a/b"


@pytest.mark.parametrize(("undefined", "kind"), [("%7", "known"), ("%70", "place")])
def test_an_undefined_id_may_be_reported_at_another_use(monkeypatch: pytest.MonkeyPatch, undefined: str, kind: str) -> None:
    ours = Diagnostic("id/is-defined-before-use", Severity.ERROR, f"{undefined} is not defined; did you mean %8?", instruction=3)
    monkeypatch.setattr(comparison, "validated", lambda words, env: Verdict((ours,)))
    theirs = Answer(False, (Message(2, 0, 0, 5, "ID '7[%7]' has not been defined"),))
    assert compare_verdicts(_Recorded(theirs), b"", "spv1.6").kind == kind  # type: ignore[arg-type]


def test_environments_fit_the_module() -> None:
    kernel, shader = MODULES["saxpy"], MODULES["transform.vert"]
    assert not any(name.startswith("vulkan") for name in environments_for(kernel))
    assert not any(name.startswith("opencl") for name in environments_for(shader))
    assert "vulkan1.4" in natural_environments(shader)


def test_environments_of_mutants_are_mostly_those_that_take_the_module() -> None:
    drawn = [drawn_environment(("spv1.6", "vulkan1.3"), Random(seed)) for seed in range(300)]
    assert 240 < sum(name in ("spv1.6", "vulkan1.3") for name in drawn) < 300
    assert drawn.count("spv1.6") > 80 < drawn.count("vulkan1.3")


def test_modules_are_found_whatever_they_are_called(tmp_path: Path) -> None:
    contents = next(iter(MODULES.values()))
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "x.bin").write_bytes(contents)
    (tmp_path / "b.frag").write_bytes(b"; text\n OpCapability Shader\n  OpMemoryModel Logical GLSL450\n")
    (tmp_path / "c.md").write_text("The instruction OpCapability Shader comes before OpMemoryModel.")
    listing = "; SPIR-V\n; Version: 1.3\nOpCapability Shader\nOpMemoryModel Logical GLSL450\n"
    (tmp_path / "d.expected").write_text(f";\n; first\n{listing};\n; second\n{listing}")
    found = list(modules_below([tmp_path]))
    assert [name.removeprefix(f"{tmp_path}/") for name, _ in found] == ["a/x.bin", "b.frag", "d.expected", "d.expected#2"]
    assert found[-1][1] == listing.encode()


def _result(kind: str, message: str, words: bytes, site: str | None = None) -> Result:
    return Result("file", True, ("gone",), words, Comparison(kind, "spv1.6", True, message, 1, ("a/b",), 2, 1, 0.1, site))


def test_a_report_has_the_most_frequent_cluster_first_and_keeps_the_smallest_module(tmp_path: Path) -> None:
    report = Report(tmp_path, [Path("fi"), Path("file")])
    results = [
        _result("miss", "rare", bytes(8)),
        *(_result("miss", f"id {number} is wrong", bytes(number)) for number in (8, 4, 12)),
        _result("same", "agreed", bytes(16), "site"),
        _result("same", "agreed", bytes(4), "site"),
    ]
    for result in results:
        report.add(result)
    summary = report.write({}, {})
    entries = [json.loads(line) for line in (tmp_path / "clusters.jsonl").read_text().splitlines()]
    assert [(entry["count"], entry["words"]) for entry in entries] == [(3, "00" * 4), (1, "00" * 8)]
    assert len((tmp_path / "differences.jsonl").read_text().splitlines()) == 4
    assert [json.loads(line)["words"] for line in (tmp_path / "reached.jsonl").read_text().splitlines()] == ["00" * 4]
    assert "mutants: 6 comparisons; miss 4 (66.67 %), refused 2 (33.33 %)" in summary
    assert "file: comparisons 0 of modules, 6 of mutants, 4 differ\n" in summary
    assert (tmp_path / "clusters" / "0001.spvasm").read_text().startswith("; 3 times: miss: id <n> is wrong | a/b\n")
