/** What tells that a text of another language may hold a module. */

const INSTRUCTION = /(?:^|["(])[ \t]*(?:%\w+[ \t]*=[ \t]*)?Op[A-Z][A-Za-z0-9]*(?![A-Za-z0-9_:(.])/m;

/** Whether a text has a line, or a string, that begins with an instruction. */
export function holdsInstruction(text: string): boolean {
  return INSTRUCTION.test(text);
}
