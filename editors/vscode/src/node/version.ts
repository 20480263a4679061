/** Whether a version, such as "0.2.0" or "0.2.0.dev1", is not older than another. */
export function isAtLeast(version: string, least: string): boolean {
  const [has, wants] = [version, least].map((text) => (/^\d+(\.\d+)*/.exec(text)?.[0] ?? "0").split(".").map(Number));
  for (const [i, wanted] of (wants ?? []).entries()) {
    const part = has?.[i] ?? 0;
    if (part !== wanted) {
      return part > wanted;
    }
  }
  return true;
}
