"""What comes out of the functions of `spvls.text.escaping`, read as its readers read it."""

from __future__ import annotations

import html
import json
import re
import xml.etree.ElementTree as ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from spvls.text import escaping
from tests.hostile import HARM, commands, hidden

ANY = st.text(st.characters(), max_size=40) | st.text(st.sampled_from("`#[]()<>&\\\"'\x1b\u202e\udcff:\r\n \t;a1|*_~!"), max_size=40)
"""With lone surrogates, which stand for bytes."""


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain, ä 漢 ✓", "plain, ä 漢 ✓"),
        ("a\tb\r\n", r"a\tb\r\n"),
        ("\x1b[2J\x00\x7f", r"\x1b[2J\x00\x7f"),
        ("\x9b\u202e\u2066\u200b\u00a0", r"\u009b\u202e\u2066\u200b\u00a0"),
        ("\u3164\ufe0f\U000e0041", r"\u3164\ufe0f\U000e0041"),
        ("caf\udce9 \ud800", r"caf\xe9 \ud800"),
    ],
)
def test_what_is_not_to_be_seen_is_an_escape(text: str, shown: str) -> None:
    assert escaping.visible(text) == shown


@given(ANY)
def test_a_visible_text_is_one_line_that_stays_as_it_is(text: str) -> None:
    shown = escaping.visible(text)
    assert shown.isprintable() and hidden(shown) == []
    assert escaping.visible(shown) == shown


@given(ANY)
def test_visible_lines_keep_breaks_and_tabs(text: str) -> None:
    shown = escaping.visible_lines(text)
    assert hidden(shown) == []
    assert [shown.count(mark) for mark in "\n\t"] == [text.count(mark) for mark in "\n\t"]
    colored = f"\x1b[31m{shown}\x1b[0m"
    assert escaping.styled_lines(colored) == colored


def test_only_colors_pass_a_styled_text() -> None:
    assert escaping.styled_lines("\x1b[1;31ma\x1b[0m\x1b[2J\x1b]0;t\x07") == "\x1b[1;31ma\x1b[0m\\x1b[2J\\x1b]0;t\\x07"


@given(ANY)
def test_no_line_is_a_command_to_a_log(text: str) -> None:
    assert commands(escaping.log_lines(text)) == []
    assert commands(escaping.json_text(text)) == []


def test_lines_for_a_log_are_changed_where_they_have_to_be() -> None:
    assert escaping.log_lines("a::b #[x] ## c\n  ::error::x\n##[y]") == "a::b #[x] ## c\n  \\x3a:error::x\n#\\x23[y]"


@given(ANY)
def test_a_workflow_command_has_one_line_and_its_properties(text: str) -> None:
    command = f"::error file={escaping.workflow_property(text)},line=1::{escaping.workflow_data(text)}"
    assert hidden(command) == [] and "\n" not in command
    head, _, data = command[2:].partition("::")
    properties = dict(part.split("=", 1) for part in head.removeprefix("error ").split(","))
    decode = {"%0D": "\r", "%0A": "\n", "%3A": ":", "%2C": ",", "%25": "%"}

    def read(value: str) -> str:
        return re.sub("%0D|%0A|%3A|%2C|%25", lambda found: decode[found[0]], value)

    wanted = re.sub(r"[^\r\n]+", lambda part: escaping.visible(part[0]), text)
    assert (properties.keys(), read(properties["file"]), read(data)) == ({"file", "line"}, wanted, wanted)


@given(ANY)
def test_json_is_exact_and_printable(text: str) -> None:
    written = escaping.json_text({text: [text]})
    assert written.isascii() and written.isprintable()
    assert json.loads(written) == {text: [text]}


@given(ANY)
def test_code_is_code_to_a_reader_of_markdown(text: str) -> None:
    (item,) = [
        token for token in MarkdownIt("commonmark").parse(f"- Named {escaping.code_span(text)}, used") if token.type == "inline"
    ]
    before, code, after = item.children or ()
    shown = escaping.visible(text)
    assert (before.content, code.type, after.content) == ("Named ", "code_inline", ", used")
    assert code.content == (shown or " ")
    linked = MarkdownIt("commonmark").parse(f"See {escaping.code_link(text, 'https://a.example')}")[1].children or ()
    assert [token.type for token in linked] == ["text", "link_open", "code_inline", "link_close"]


@given(ANY)
def test_a_block_of_code_ends_where_it_ends(text: str) -> None:
    block, paragraph, *_ = MarkdownIt("commonmark").parse(f"{escaping.code_block(text, 'spirv')}\n\nafter")
    assert (block.type, block.info, paragraph.type) == ("fence", "spirv", "paragraph_open")
    assert [line.rstrip() for line in block.content.rstrip().split("\n")] == [
        line.rstrip() for line in escaping.visible_lines(text).replace("\r\n", "\n").rstrip().split("\n")
    ]


@given(ANY)
def test_a_notification_has_no_link(text: str) -> None:
    linked = r"\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^\)\s]+)(?: ([\"'])(.+?)(\3))?\)"  # as VS Code looks for them
    assert re.search(linked, escaping.notification(f"{text}[l](command:x){HARM}"), re.IGNORECASE) is None


@given(ANY)
def test_xml_has_the_visible_text(text: str) -> None:
    shown = escaping.xml_text(text)
    element = ElementTree.fromstring(f'<a b="{shown}">{shown}</a>')
    assert (element.text or "", element.get("b"), len(element)) == (escaping.visible(text), escaping.visible(text), 0)
    assert commands(shown) == []


@given(ANY, ANY)
def test_strings_of_languages_that_draw_end_where_they_end(one: str, other: str) -> None:
    wanted = [escaping.visible(one), escaping.visible(other)]
    mermaid = escaping.mermaid_string(one, other)
    assert re.fullmatch(r'"[^"]*"', mermaid)
    lines = [re.sub(r"#(\d+);", lambda found: chr(int(found[1])), line) for line in mermaid[1:-1].split("<br>")]
    assert lines == wanted
    dot = escaping.dot_string(one, other)
    assert re.fullmatch(r'"(?:[^"\\]|\\.)*"', dot)
    unquoted = re.sub(r"\\(.)", lambda found: "\n" if found[1] == "n" else found[1], dot[1:-1])
    assert [html.unescape(line) for line in unquoted.split("\n")] == wanted
    assert commands(mermaid + "\n" + dot) == []


@given(ANY)
def test_a_sentence_has_words_and_code_alone(text: str) -> None:
    (inline,) = [token for token in MarkdownIt("commonmark").parse(escaping.sentence(text)) if token.type == "inline"]
    assert {token.type for token in inline.children or ()} <= {"text", "code_inline"}


@pytest.mark.parametrize("text", ["%a is defined; did you mean %b?", "a type is 32 bits (0 to 5)"])
def test_a_plain_sentence_stays(text: str) -> None:
    assert escaping.sentence(text) == text


@pytest.mark.parametrize("text", ["%a_b and %c_d", "see http://a.example", "www.a.example", "@someone", "#12", "1. a", "a :tada: b", ""])
def test_a_sentence_that_means_more_becomes_code(text: str) -> None:
    assert escaping.sentence(text).startswith("`")


@given(ANY)
def test_an_element_of_xml_holds_text_as_it_is_shown(text: str) -> None:
    made = escaping.xml_element("a", {"b": text}, escaping.xml_element("c", {}), escaping.xml_element("d", {}, escaping.xml_text(text)))
    root = ElementTree.fromstring(made)
    assert root.attrib["b"] == escaping.visible(text)
    assert [child.tag for child in root] == ["c", "d"]
    assert (root[1].text or "") == escaping.visible(text)
    assert commands(made) == []
