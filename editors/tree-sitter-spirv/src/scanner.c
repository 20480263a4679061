// The words of SPIR-V assembly that take more than a regular expression: ids that are results, strings, masks.

#include "tree_sitter/alloc.h"
#include "tree_sitter/parser.h"

#include <string.h>

enum TokenType {
    RESULT,
    FUNCTION_RESULT,
    GRAPH_RESULT,
    LABEL_RESULT,
    INCOMPLETE_RESULT,
    UNKNOWN_OPCODE,
    END,
    STRING_START,
    STRING_CONTENT,
    ESCAPE_SEQUENCE,
    STRING_END,
    UNCLOSED_STRING_START,
    MALFORMED_STRING,
    MASK_START,
    REST,
};

// Where the scanner is. It knows by itself, since the parser does not where it recovers from an error.
typedef enum { OUTSIDE, IN_STRING, IN_UNCLOSED_STRING } Place;

typedef struct {
    Place place;
} Scanner;

void *tree_sitter_spirv_external_scanner_create(void) { return ts_calloc(1, sizeof(Scanner)); }

void tree_sitter_spirv_external_scanner_destroy(void *payload) { ts_free(payload); }

unsigned tree_sitter_spirv_external_scanner_serialize(void *payload, char *buffer) {
    Place place = ((Scanner *)payload)->place;
    buffer[0] = (char)place;
    return place == OUTSIDE ? 0 : 1;
}

void tree_sitter_spirv_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) {
    ((Scanner *)payload)->place = length > 0 ? (Place)buffer[0] : OUTSIDE;
}

static inline void advance(TSLexer *lexer) { lexer->advance(lexer, false); }

static inline bool is_space(int32_t c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

static inline bool is_capital(int32_t c) { return c >= 'A' && c <= 'Z'; }

static inline bool is_name(int32_t c) {
    return is_capital(c) || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

static inline bool is_digit(int32_t c, int base) {
    int lower = c | 0x20;
    return base == 16 ? (c >= '0' && c <= '9') || (lower >= 'a' && lower <= 'f') : c >= '0' && c < '0' + base;
}

// NUL ends the text; the lexer also has it at the end of the file.
static inline bool at_end_of_word(const TSLexer *lexer) {
    int32_t c = lexer->lookahead;
    return c == 0 || is_space(c) || c == ';' || c == ',' || c == '(' || c == ')';
}

// White space and comments.
static void pass_gap(TSLexer *lexer) {
    while (is_space(lexer->lookahead) || lexer->lookahead == ';') {
        if (lexer->lookahead == ';') {
            while (lexer->lookahead != '\n' && lexer->lookahead != 0) {
                advance(lexer);
            }
        } else {
            advance(lexer);
        }
    }
}

static bool pass_name(TSLexer *lexer) {
    if (!is_name(lexer->lookahead)) {
        return false;
    }
    while (is_name(lexer->lookahead)) {
        advance(lexer);
    }
    return true;
}

static void pass_word(TSLexer *lexer) {
    bool is_quoted = false;
    while (lexer->lookahead != 0 && (is_quoted || !at_end_of_word(lexer))) {
        bool is_escape = lexer->lookahead == '\\';
        is_quoted = is_quoted != (lexer->lookahead == '"');
        advance(lexer);
        if (is_escape && lexer->lookahead != 0) {
            advance(lexer);
        }
    }
}

// A word that begins with `Op` and a capital letter. `name` gets its start, or all of it if it is one of those that count.
static bool pass_opcode(TSLexer *lexer, char name[16]) {
    unsigned length = 0;
    for (; is_name(lexer->lookahead) && length < 15; advance(lexer)) {
        name[length++] = (char)lexer->lookahead;
    }
    name[length] = 0;
    bool is_whole = at_end_of_word(lexer);
    bool is_opcode = length > 2 && name[0] == 'O' && name[1] == 'p' && is_capital(name[2]);
    if (!is_whole) {
        name[0] = 0;
        if (is_opcode) {
            pass_word(lexer);
        }
    }
    return is_opcode;
}

static bool pass_equals(TSLexer *lexer) {
    pass_gap(lexer);
    if (lexer->lookahead != '=') {
        return false;
    }
    advance(lexer);
    return at_end_of_word(lexer);
}

static bool pass_id(TSLexer *lexer) {
    advance(lexer);
    return pass_name(lexer) && at_end_of_word(lexer);
}

// What kind of result is before the word at hand.
static enum TokenType result_before(TSLexer *lexer) {
    char name[16];
    if (!pass_opcode(lexer, name)) {
        return INCOMPLETE_RESULT;
    }
    if (strcmp(name, "OpLabel") == 0) {
        return LABEL_RESULT;
    }
    if (strcmp(name, "OpFunction") == 0) {
        return FUNCTION_RESULT;
    }
    return strcmp(name, "OpGraphARM") == 0 ? GRAPH_RESULT : RESULT;
}

// An id with `=` after it: a result, also where no opcode follows yet.
static bool scan_result(TSLexer *lexer) {
    if (!pass_id(lexer)) {
        return false;
    }
    lexer->mark_end(lexer);
    if (!pass_equals(lexer)) {
        return false;
    }
    pass_gap(lexer);
    lexer->result_symbol = (TSSymbol)result_before(lexer);
    return true;
}

// Nothing, where the next instruction or the end of the text follows. It looks at all that tells which instruction it is, because
// that also says which function and which block it belongs to.
static bool scan_end(TSLexer *lexer) {
    lexer->result_symbol = END;
    if (lexer->lookahead == 0) {
        return true;
    }
    char name[16];
    if (lexer->lookahead != '%') {
        return pass_opcode(lexer, name);
    }
    if (!pass_id(lexer) || !pass_equals(lexer)) {
        return false;
    }
    pass_gap(lexer);
    pass_opcode(lexer, name);
    return true;
}

static bool pass_integer(TSLexer *lexer) {
    pass_gap(lexer);
    if (lexer->lookahead == '+' || lexer->lookahead == '-') {
        advance(lexer);
    }
    bool is_zero = lexer->lookahead == '0';
    if (lexer->lookahead < '0' || lexer->lookahead > '9') {
        return false;
    }
    advance(lexer);
    bool is_hexadecimal = is_zero && (lexer->lookahead == 'x' || lexer->lookahead == 'X');
    if (is_hexadecimal) {
        advance(lexer);
        if (!is_digit(lexer->lookahead, 16)) {
            return false;
        }
    }
    while (is_digit(lexer->lookahead, is_hexadecimal ? 16 : is_zero ? 8 : 10)) {
        advance(lexer);
    }
    return at_end_of_word(lexer);
}

static bool pass_mark(TSLexer *lexer, int32_t mark) {
    pass_gap(lexer);
    if (lexer->lookahead != mark) {
        return false;
    }
    advance(lexer);
    return true;
}

// OpUnknown with the number of an opcode and a length in words.
static bool scan_unknown_opcode(TSLexer *lexer) {
    char name[16];
    if (!pass_opcode(lexer, name) || strcmp(name, "OpUnknown") != 0) {
        return false;
    }
    lexer->mark_end(lexer);
    lexer->result_symbol = UNKNOWN_OPCODE;
    return pass_mark(lexer, '(') && pass_integer(lexer) && pass_mark(lexer, ',') && pass_integer(lexer) &&
           pass_mark(lexer, ')');
}

// The first name of two or more with `|` between them. A word that begins like an opcode begins the next instruction instead.
static bool scan_mask_start(TSLexer *lexer, bool can_end) {
    if (lexer->lookahead == 'O') {
        advance(lexer);
        if (lexer->lookahead == 'p') {
            advance(lexer);
            if (is_capital(lexer->lookahead)) {
                pass_word(lexer);
                lexer->result_symbol = END;
                return can_end;
            }
        }
    }
    while (is_name(lexer->lookahead)) {
        advance(lexer);
    }
    if (lexer->lookahead != '|') {
        return false;
    }
    lexer->mark_end(lexer);
    lexer->result_symbol = MASK_START;
    while (lexer->lookahead == '|') {
        advance(lexer);
        if (!pass_name(lexer)) {
            return false;
        }
    }
    return at_end_of_word(lexer);
}

// How much of the start of an instruction, `%name = Op…`, a line inside quotes shows so far.
enum LineStart { NONE, INDENT, ID, AFTER_ID, AFTER_EQUALS, O, OP, INSTRUCTION };

static enum LineStart line_start_after(enum LineStart at, int32_t c) {
    bool is_blank = c == ' ' || c == '\t';
    if (at == INSTRUCTION || c == '\n' || c == '\r') {
        return at == INSTRUCTION ? INSTRUCTION : INDENT;
    }
    switch (at) {
    case INDENT:
        return is_blank ? INDENT : c == '%' ? ID : c == 'O' ? O : NONE;
    case ID:
        return is_name(c) ? ID : is_blank ? AFTER_ID : NONE;
    case AFTER_ID:
        return is_blank ? AFTER_ID : c == '=' ? AFTER_EQUALS : NONE;
    case AFTER_EQUALS:
        return is_blank ? AFTER_EQUALS : c == 'O' ? O : NONE;
    case O:
        return c == 'p' ? OP : NONE;
    case OP:
        return is_capital(c) ? INSTRUCTION : NONE;
    default:
        return NONE;
    }
}

// A word that begins with a quote: the quote of a string, closed or not, or a whole word that goes on after its strings.
//
// A string can span lines, so a missing quote would turn all strings after it inside out. Therefore a string also counts as not
// closed where a line of it begins like an instruction and the word goes on right after the quote that would close it.
static bool scan_string_start(Scanner *scanner, TSLexer *lexer) {
    enum LineStart line = NONE;
    bool is_quoted = true;
    bool is_string = false; // whether the word is one if it ends here
    advance(lexer);
    lexer->mark_end(lexer);
    bool is_line_empty = lexer->lookahead == 0 || lexer->lookahead == '\n' || lexer->lookahead == '\r';
    while (lexer->lookahead != 0 && (is_quoted || !at_end_of_word(lexer))) {
        bool is_escape = lexer->lookahead == '\\';
        bool is_quote = lexer->lookahead == '"';
        if (is_quoted) {
            line = line_start_after(line, lexer->lookahead);
        }
        advance(lexer);
        if (is_escape && lexer->lookahead != 0) {
            advance(lexer);
        }
        is_quoted = is_quoted != is_quote;
        is_string = is_quote && (!is_quoted || lexer->lookahead == 0); // at the end of the text any second quote closes
        if (is_string && line == INSTRUCTION && !at_end_of_word(lexer)) {
            is_string = false;
            is_quoted = true;
            break;
        }
    }
    if (is_string) {
        lexer->result_symbol = STRING_START;
        scanner->place = IN_STRING;
    } else if (is_quoted) {
        lexer->result_symbol = UNCLOSED_STRING_START;
        scanner->place = is_line_empty ? OUTSIDE : IN_UNCLOSED_STRING;
    } else {
        lexer->result_symbol = MALFORMED_STRING;
        lexer->mark_end(lexer);
    }
    return true;
}

// From a quote inside a word to the next one.
static void pass_to_quote(TSLexer *lexer) {
    while (lexer->lookahead != '"' && lexer->lookahead != 0) {
        bool is_escape = lexer->lookahead == '\\';
        advance(lexer);
        if (is_escape && lexer->lookahead != 0) {
            advance(lexer);
        }
    }
}

// The next piece of a string that is known to be closed. All quotes but the last one belong to its content.
static bool scan_string(Scanner *scanner, TSLexer *lexer) {
    lexer->result_symbol = STRING_CONTENT;
    bool has_content = false;
    while (lexer->lookahead != 0) {
        if (lexer->lookahead == '\\') {
            if (!has_content) {
                lexer->result_symbol = ESCAPE_SEQUENCE;
                advance(lexer);
                advance(lexer);
            }
            lexer->mark_end(lexer);
            return true;
        }
        if (lexer->lookahead == '"') {
            lexer->mark_end(lexer);
            advance(lexer);
            if (at_end_of_word(lexer)) {
                if (!has_content) {
                    lexer->result_symbol = STRING_END;
                    lexer->mark_end(lexer);
                    scanner->place = OUTSIDE;
                }
                return true;
            }
            pass_to_quote(lexer);
            lexer->mark_end(lexer);
            advance(lexer);
            if (lexer->lookahead == 0) {
                return true;
            }
        } else {
            advance(lexer);
        }
        has_content = true;
    }
    scanner->place = OUTSIDE;
    return false;
}

// The rest of the line of a string that is not closed.
static bool scan_unclosed_string(Scanner *scanner, TSLexer *lexer) {
    while (lexer->lookahead != '\n' && lexer->lookahead != '\r' && lexer->lookahead != 0) {
        advance(lexer);
    }
    lexer->mark_end(lexer);
    lexer->result_symbol = STRING_CONTENT;
    scanner->place = OUTSIDE;
    return true;
}

// What follows a NUL, which ends the text.
static bool scan_rest(TSLexer *lexer) {
    while (!lexer->eof(lexer)) {
        advance(lexer);
    }
    lexer->mark_end(lexer);
    lexer->result_symbol = REST;
    return true;
}

bool tree_sitter_spirv_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid_symbols) {
    Scanner *scanner = payload;
    if (scanner->place == IN_STRING) {
        return scan_string(scanner, lexer);
    }
    if (scanner->place == IN_UNCLOSED_STRING) {
        return scan_unclosed_string(scanner, lexer);
    }
    lexer->mark_end(lexer);
    while (is_space(lexer->lookahead)) {
        lexer->advance(lexer, true);
    }
    int32_t c = lexer->lookahead;
    if (valid_symbols[END]) {
        if (c == ';') {
            pass_gap(lexer);
            return scan_end(lexer);
        }
        if (c == '%' || c == 0) {
            return scan_end(lexer);
        }
    } else if (c == '%') {
        return valid_symbols[RESULT] && scan_result(lexer);
    } else if (c == 0) {
        return valid_symbols[REST] && !lexer->eof(lexer) && scan_rest(lexer);
    } else if (c == 'O' && valid_symbols[UNKNOWN_OPCODE]) {
        return scan_unknown_opcode(lexer);
    }
    if (c == '"') {
        return valid_symbols[STRING_START] && scan_string_start(scanner, lexer);
    }
    return is_name(c) && valid_symbols[MASK_START] && scan_mask_start(lexer, valid_symbols[END]);
}
