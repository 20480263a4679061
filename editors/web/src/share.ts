/** A text in the fragment of an address, which no server sees. */

/** What a link holds. */
export interface Shared {
  text: string;
  environment: string;
}

const NAME = "#module=";

/** Characters of a link at most: some programs cut off longer ones. */
export const LONGEST_LINK = 32_000;

async function through(data: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream): Promise<ArrayBuffer> {
  return new Response(new Blob([data]).stream().pipeThrough(stream)).arrayBuffer();
}

export async function toFragment(shared: Shared): Promise<string> {
  const data = new TextEncoder().encode(JSON.stringify(shared));
  const packed = new Uint8Array(await through(data, new CompressionStream("deflate-raw")));
  const binary = Array.from(packed, (octet) => String.fromCharCode(octet)).join("");
  return NAME + btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/**
 * What a fragment holds; undefined where it is not of a link.
 *
 * @throws Error when it is one that is damaged.
 */
export async function fromFragment(fragment: string): Promise<Shared | undefined> {
  if (!fragment.startsWith(NAME)) {
    return undefined;
  }
  try {
    const binary = atob(fragment.slice(NAME.length).replaceAll("-", "+").replaceAll("_", "/"));
    const packed = Uint8Array.from(binary, (char) => char.charCodeAt(0));
    const data = await through(packed, new DecompressionStream("deflate-raw"));
    const { text, environment } = JSON.parse(new TextDecoder().decode(data)) as Partial<Shared>;
    if (typeof text === "string") {
      return { text, environment: typeof environment === "string" ? environment : "" };
    }
  } catch {
    // It is said below.
  }
  throw new Error("The link is damaged: part of it may be missing.");
}
