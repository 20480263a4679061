/**
 * A `.spv` opened as text: its disassembly is a document of a file system of its own, where saving assembles.
 * A custom editor sends whoever opens the binary there.
 */
import * as vscode from "vscode";
import { LISTING_SCHEME, binaryOf, listingOf } from "./listingUri";
import { disassemble } from "./protocol";
import type { Host } from "./runner";
import type { Server } from "./server";
import { writeBinaryOf } from "./writeBinary";

class ListingFileSystem implements vscode.FileSystemProvider {
  private readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.changed.event;
  /** Listings that stop before the end of their file: saving one would lose the rest. */
  private readonly incomplete = new Set<string>();

  constructor(private readonly server: Server) {}

  watch(listing: vscode.Uri): vscode.Disposable {
    const file = binaryOf(listing);
    const pattern = new vscode.RelativePattern(vscode.Uri.joinPath(file, ".."), file.path.split("/").pop() ?? "");
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    const tell = (type: vscode.FileChangeType) => () => this.changed.fire([{ type, uri: listing }]);
    watcher.onDidChange(tell(vscode.FileChangeType.Changed));
    watcher.onDidCreate(tell(vscode.FileChangeType.Created));
    watcher.onDidDelete(tell(vscode.FileChangeType.Deleted));
    return watcher;
  }

  async stat(listing: vscode.Uri): Promise<vscode.FileStat> {
    const stat = await vscode.workspace.fs.stat(binaryOf(listing));
    const readonly = this.incomplete.has(listing.toString());
    return { ...stat, permissions: readonly ? vscode.FilePermission.Readonly : stat.permissions };
  }

  async readFile(listing: vscode.Uri): Promise<Uint8Array> {
    const files = await this.server.files();
    const { text, error } = await this.server.request(disassemble, { uri: await files.offer(binaryOf(listing)) });
    if (error) {
      this.incomplete.add(listing.toString());
      void vscode.window.showWarningMessage(`The listing is incomplete and cannot be saved: ${error}`);
    } else {
      this.incomplete.delete(listing.toString());
    }
    return new TextEncoder().encode(text);
  }

  /** The server already has the text, from the open document. */
  async writeFile(listing: vscode.Uri): Promise<void> {
    if (this.incomplete.has(listing.toString())) {
      throw vscode.FileSystemError.NoPermissions("The listing is incomplete.");
    }
    try {
      await writeBinaryOf(this.server, listing);
    } catch (error) {
      throw vscode.FileSystemError.Unavailable((error as Error).message);
    }
    this.changed.fire([{ type: vscode.FileChangeType.Changed, uri: listing }]);
  }

  readDirectory(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  createDirectory(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  delete(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  rename(): never {
    throw vscode.FileSystemError.NoPermissions();
  }
}

class ListingRedirect implements vscode.CustomReadonlyEditorProvider {
  openCustomDocument(uri: vscode.Uri): vscode.CustomDocument {
    return { uri, dispose: () => undefined };
  }

  async resolveCustomEditor(document: vscode.CustomDocument, panel: vscode.WebviewPanel): Promise<void> {
    const viewColumn = panel.viewColumn;
    await vscode.commands.executeCommand("vscode.open", listingOf(document.uri), { viewColumn, preview: false });
    panel.dispose(); // not before the editor is done with it
  }
}

export function registerSpvDocuments(server: Server, { isCaseSensitive }: Host): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.workspace.registerFileSystemProvider(LISTING_SCHEME, new ListingFileSystem(server), { isCaseSensitive }),
    vscode.window.registerCustomEditorProvider("spvls.binaryFile", new ListingRedirect()),
  );
}
