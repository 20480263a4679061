/** Addresses of listings: the text of `file:/x/a.spv` is the document `spirv-listing:/x/a.spv`. */
import type { Uri } from "vscode";

export const LISTING_SCHEME = "spirv-listing";

/** A binary elsewhere than on the local disk has its scheme in the query of its listing. */
export function listingOf(binary: Uri): Uri {
  return binary.with({ scheme: LISTING_SCHEME, query: binary.scheme === "file" ? "" : binary.scheme });
}

/** Where the binary of a document belongs: the file of a listing, or `a.spv` for `a.spvasm`, `a.frag.spv` for `a.spvasm.frag`. */
export function binaryOf(document: Uri): Uri {
  if (document.scheme === LISTING_SCHEME) {
    return document.with({ scheme: document.query || "file", query: "" });
  }
  return document.with({ path: `${document.path.replace(/\.spvasm(?=(\.[^./]+)?$)/, "")}.spv` });
}
