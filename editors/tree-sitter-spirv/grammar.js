/**
 * @file SPIR-V assembly, as the assembler of SPIRV-Tools reads it
 * @license Apache-2.0
 */

/// <reference types="tree-sitter-cli/dsl" />
// @ts-check

// Every text has a tree without errors: what the assembler refuses for its words has nodes of its own, so that a broken line does
// no harm to the lines around it. These are incomplete_instruction, malformed_word, stray_words and unclosed_string.

// A word runs to white space, `;`, `,`, `(` or `)`, unless these are quoted or escaped. The classes below are those of words as a
// whole: what belongs to none of them is malformed up to its end.
const PLAIN = /[^ \t\r\n;,()"\\\x00]/;
const ESCAPE = /\\[^\x00]/;
const QUOTED = /"[^"\\\r\n\x00]*(\\[^\r\n\x00][^"\\\r\n\x00]*)*"/;
const PART = choice(PLAIN, ESCAPE, QUOTED);
const LAST = optional("\\"); // a backslash with nothing after it

const NAME = /[A-Za-z0-9_]+/;
const MAGNITUDE = choice(/0[xX][0-9a-fA-F]+/, /[1-9][0-9]*/, /0[0-7]*/);
const HEX_FLOAT = seq(/0[xX]/, choice(/[0-9a-fA-F]+(\.[0-9a-fA-F]*)?/, /\.[0-9a-fA-F]+/), /[pP][-+]?[0-9]+/);
const DECIMAL_FLOAT = seq(choice(/[0-9]+(\.[0-9]*)?/, /\.[0-9]+/), /([eE][-+]?[0-9]+)?/);

const TERMINATORS = [
  "OpBranch", "OpBranchConditional", "OpSwitch", "OpReturn", "OpReturnValue", "OpKill", "OpUnreachable",
  "OpTerminateInvocation", "OpIgnoreIntersectionKHR", "OpTerminateRayKHR", "OpEmitMeshTasksEXT", "OpAbortKHR",
];

const ENDS = ["OpFunctionEnd", "OpGraphEndARM", ...TERMINATORS];

export default grammar({
  name: "spirv",

  externals: $ => [
    // The id before `=`, by the opcode after it: the parser must know what begins before it reads the id.
    $._result,
    $._function_result,
    $._graph_result,
    $._label_result,
    $._incomplete_result,
    // OpUnknown, where it has its two numbers.
    $._unknown_opcode,
    // Empty, before the start of the next instruction. With it the tree of an instruction is complete by itself, so that the
    // parser takes it over as it is when another one was edited.
    $._end,
    $._string_start,
    $.string_content,
    $.escape_sequence,
    $._string_end,
    $._unclosed_string_start,
    $._malformed_string,
    $._mask_start,
    $.rest,
  ],

  extras: $ => [/[ \t\r\n]+/, $.comment],

  rules: {
    source_file: $ => seq(
      optional(choice($.literal_instruction, $.stray_words)),
      repeat(choice(
        $.function,
        $.graph,
        $.block,
        $.instruction,
        $.incomplete_instruction,
        alias($._terminator, $.instruction),
        alias($._function_end, $.instruction),
        alias($._graph_end, $.instruction),
      )),
      optional($.rest),
    ),

    // Up to OpFunctionEnd or, where that is missing, to the next function or graph or the end of the text.
    function: $ => prec.right(seq(
      field("header", alias($._function_begin, $.instruction)),
      repeat(choice(
        $.block,
        $.instruction,
        $.incomplete_instruction,
        alias($._terminator, $.instruction),
        alias($._graph_end, $.instruction),
      )),
      optional(field("end", alias($._function_end, $.instruction))),
    )),

    graph: $ => prec.right(seq(
      field("header", alias($._graph_begin, $.instruction)),
      repeat(choice(
        $.block,
        $.instruction,
        $.incomplete_instruction,
        alias($._terminator, $.instruction),
        alias($._function_end, $.instruction),
      )),
      optional(field("end", alias($._graph_end, $.instruction))),
    )),

    // Up to its terminator or, where that is missing, to what cannot stand in a block.
    block: $ => prec.right(seq(
      field("label", alias($._label, $.instruction)),
      repeat(choice($.instruction, $.incomplete_instruction)),
      optional(field("terminator", alias($._terminator, $.instruction))),
    )),

    instruction: $ => seq(
      choice(
        seq(result($, $._result), field("opcode", choice($.opcode, ...ENDS.map(name => alias(name, $.opcode))))),
        field("opcode", choice($.opcode, $.unknown_opcode)),
      ),
      operands($),
    ),

    // A result without an opcode.
    incomplete_instruction: $ => seq(result($, $._incomplete_result), operands($)),

    _function_begin: $ => headed($, $._function_result, "OpFunction"),
    _function_end: $ => unheaded($, "OpFunctionEnd"),
    _graph_begin: $ => headed($, $._graph_result, "OpGraphARM"),
    _graph_end: $ => unheaded($, "OpGraphEndARM"),
    _label: $ => headed($, $._label_result, "OpLabel"),
    _terminator: $ => unheaded($, ...TERMINATORS),

    // Words before the first instruction: one that is given as its words, or what belongs to none.
    literal_instruction: $ => seq($.literal_word, operands($)),
    stray_words: $ => seq(field("operand", $._word), operands($)),

    // An instruction by the number of its opcode and its length in words.
    unknown_opcode: $ => seq(
      alias($._unknown_opcode, "OpUnknown"),
      "(",
      field("number", $.integer),
      ",",
      field("word_count", $.integer),
      ")",
    ),

    _operand: $ => choice($.literal_word, $._word),

    _word: $ => choice(
      $.id,
      $.string,
      $.unclosed_string,
      $.integer,
      $.float,
      $.enumerant,
      $.mask,
      $.malformed_word,
      alias(choice($._malformed_string, "=", ",", "(", ")"), $.malformed_word),
    ),

    string: $ => seq(
      alias($._string_start, "\""),
      repeat(choice($.string_content, $.escape_sequence)),
      alias($._string_end, "\""),
    ),

    // A string without its closing quote, up to the end of its line.
    unclosed_string: $ => seq(
      alias($._unclosed_string_start, "\""),
      optional($.string_content),
    ),

    mask: $ => seq(
      alias($._mask_start, $.enumerant),
      repeat1(seq(token.immediate(prec(1, "|")), alias(token.immediate(NAME), $.enumerant))),
    ),

    // Words, in the order in which a word that fits several is read.
    opcode: _ => token(seq(/Op[A-Z]/, repeat(PART), LAST)),
    id: _ => token(seq("%", NAME)),
    literal_word: _ => token(seq("!", optional("+"), MAGNITUDE)),
    integer: _ => token(seq(/[-+]?/, MAGNITUDE)),
    float: _ => token(seq(/[-+]?/, choice(HEX_FLOAT, DECIMAL_FLOAT))),
    enumerant: _ => token(NAME),
    malformed_word: _ => token(choice(seq(repeat1(PART), LAST), "\\")),

    comment: _ => token(/;(\r*[^\r\n\x00])*/),
  },
});

/** The id that an instruction defines, and `=`. */
function result($, id) {
  return seq(field("result", alias(id, $.id)), "=");
}

/** An instruction that begins with the given kind of result, or lacks it, and has one opcode. */
function headed($, id, name) {
  return seq(optional(result($, id)), field("opcode", alias(name, $.opcode)), operands($));
}

/** An instruction without result and with one of some opcodes. */
function unheaded($, ...names) {
  return seq(field("opcode", choice(...names.map(name => alias(name, $.opcode)))), operands($));
}

/** The words after an opcode. */
function operands($) {
  return seq(repeat(field("operand", $._operand)), $._end);
}
