/**
 * Which programs may be started, and with what environment: found by absolute folders alone, never in the working directory.
 * A relative entry of the PATH (`.`, or an empty one) and the search of Windows would find programs in the opened folder.
 */
import { accessSync, constants, lstatSync, realpathSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join, relative, sep } from "node:path";

const IS_WINDOWS = process.platform === "win32";

function resolved(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Whether a path, or what it links to, lies in one of the folders. */
export function isInside(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => isBelow(path, folder) || isBelow(resolved(path), resolved(folder)));
}

function isExecutable(path: string): boolean {
  try {
    if (IS_WINDOWS) {
      return !lstatSync(path).isDirectory(); // the aliases of the Store are links that cannot be followed
    }
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The folders of a PATH that are absolute and not inside `forbidden`. */
function searchFolders(path: string, forbidden: readonly string[]): string[] {
  return path.split(delimiter).filter((folder) => isAbsolute(folder) && !isInside(folder, forbidden));
}

/** The value of the PATH; Windows does not care how its name is written. */
function pathOf(environment: NodeJS.ProcessEnv): string {
  return Object.entries(environment).find(([name]) => isPath(name))?.[1] ?? "";
}

function isPath(name: string): boolean {
  return IS_WINDOWS ? name.toUpperCase() === "PATH" : name === "PATH";
}

/**
 * The absolute path of a program that is given by its name or by an absolute path; undefined when there is none that lies, with
 * what it links to, outside the folders `forbidden`. Other relative paths name no program.
 */
export function findProgram(name: string, environment: NodeJS.ProcessEnv, forbidden: readonly string[]): string | undefined {
  const names = IS_WINDOWS && !/\.(exe|com)$/i.test(name) ? [`${name}.exe`, `${name}.com`] : [name];
  const places = isAbsolute(name)
    ? [name, ...names]
    : /[\\/]/.test(name)
      ? []
      : searchFolders(pathOf(environment), forbidden).flatMap((folder) => names.map((file) => join(folder, file)));
  return places.find((place) => isExecutable(place) && !isInside(place, forbidden));
}

/**
 * The environment for a program: its PATH has only folders in which `findProgram` looks, and Python adds neither the working
 * directory nor PYTHONPATH, an empty entry of which is the working directory too, to the modules that it can import.
 */
export function isolatedEnvironment(environment: NodeJS.ProcessEnv, forbidden: readonly string[]): NodeJS.ProcessEnv {
  const kept = Object.entries(environment).filter(([name]) => !isPath(name) && name.toUpperCase() !== "PYTHONPATH");
  const path = searchFolders(pathOf(environment), forbidden).join(delimiter);
  return { ...Object.fromEntries(kept), PATH: path, PYTHONSAFEPATH: "1" };
}
