/** The page of the summary: tables whose rows lead to the text. */
import type { BlockLayout, BlockMember, Details, EntryPoint, InterfaceVariable, Kernel, KernelArgument, Kernels, ReflectedValue, Resource } from "../src/protocol";
import type { Range } from "vscode-languageserver-types";
import type { FromPage, ToPage } from "../src/summaryMessages";

declare function acquireVsCodeApi(): { postMessage(message: FromPage | { type: "ready" }): void };

const editor = acquireVsCodeApi();
const summary = document.getElementById("summary") as HTMLElement;
const content = document.getElementById("content") as HTMLElement;

type Cell = string | HTMLElement;

function element(tag: string, className = "", ...children: Cell[]): HTMLElement {
  const made = document.createElement(tag);
  made.className = className;
  made.append(...children);
  return made;
}

/** Code whose lines break between the members and the parameters that it names, not within them. */
function code(text: string): HTMLElement {
  const parts = text.split(/(?<=[,;{]) /);
  return element("code", "", ...parts.flatMap((part, at) => (at ? [" ", element("span", "part", part)] : [element("span", "part", part)])));
}

/** Makes an element lead to a place in the text, for pointers, keys and screen readers. */
function leadsTo(made: HTMLElement, range: Range | null): HTMLElement {
  if (range) {
    const reveal = (): void => editor.postMessage({ type: "reveal", range });
    made.classList.add("link");
    made.tabIndex = 0;
    made.setAttribute("role", "link");
    made.addEventListener("click", reveal);
    made.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        reveal();
      }
    });
  }
  return made;
}

/** A row, of which a click anywhere leads to the text, and for keys the cell with its name. */
function row(cells: Cell[], range: Range | null, depth = 0): HTMLElement {
  const named = Math.max(cells.findIndex((cell) => cell instanceof HTMLElement), 0);
  const made = element("tr", range ? "linked" : "");
  made.setAttribute("role", "row");
  cells.forEach((cell, at) => {
    const td = element("td", "", at === named ? leadsTo(element("span", "", cell), range) : cell);
    td.setAttribute("role", "cell");
    made.append(td, " "); // for rows that are stacked, and for what is copied
  });
  made.style.setProperty("--depth", String(depth));
  if (range) {
    made.addEventListener("click", ({ target }) => {
      if (!(target as Element).closest('[role="link"]')) {
        editor.postMessage({ type: "reveal", range });
      }
    });
  }
  return made;
}

/** A table with a name for screen readers; where there is little room its rows are stacked, so their roles are spelled out. */
function table(name: string, titles: string[], rows: HTMLElement[]): HTMLElement {
  const head = element("tr");
  head.setAttribute("role", "row");
  titles.forEach((title) => {
    const th = element("th", "", title || element("span", "unseen", "notes"));
    th.setAttribute("role", "columnheader");
    th.setAttribute("scope", "col");
    head.append(th);
  });
  for (const made of rows) {
    Array.from(made.children).forEach((cell, at) => cell.setAttribute("data-title", titles[at] ?? ""));
  }
  const made = element("table", "", element("thead", "", head), element("tbody", "", ...rows));
  made.setAttribute("role", "table");
  made.setAttribute("aria-label", name);
  Array.from(made.children).forEach((group) => group.setAttribute("role", "rowgroup"));
  return made;
}

function section(title: Cell, ...children: HTMLElement[]): HTMLElement {
  return element("section", "", element("h2", "", title), ...children);
}

function plural(n: number, noun: string): string {
  return `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;
}

function titled(id: string, name: string): HTMLElement {
  const made = element("span", "", ...(id ? [code(`%${id}`)] : []));
  if (name && name !== id) {
    made.append(id ? " " : "", element("span", "name", name));
  }
  return made;
}

function place({ builtIn, location, component, sourceIndex, set, binding }: InterfaceVariable): string {
  const parts = { location, component, index: sourceIndex, set, binding };
  const told = Object.entries(parts).flatMap(([name, number]) => (number === null ? [] : [`${name} ${number}`]));
  return builtIn ?? told.join(" ");
}

function variableRows(variable: InterfaceVariable, range: Range | null, depth = 0): HTMLElement[] {
  const { storage, id, name, type, flags, members } = variable;
  const cells = [storage || "parameter", place(variable), titled(id, name), code(type), flags.join(", ")];
  const own = row(cells, range, depth);
  return [own, ...members.flatMap((member) => variableRows(member, range, depth + 1))];
}

function entryPoint(point: EntryPoint): HTMLElement {
  const facts = element("p", "facts", `${point.model} · `, code(`%${point.id}`));
  if (point.workgroup) {
    const { size, source, specialized } = point.workgroup;
    const shape = size.map((part) => part ?? "?").join(" × ");
    facts.append(` · workgroup ${shape} (${source}${specialized ? ", specialized" : ""})`);
  }
  if (point.modes.length) {
    facts.append(` · ${point.modes.join(", ")}`);
  }
  const rows = [...point.parameters, ...point.interface].flatMap((variable) => variableRows(variable, variable.range));
  const titles = ["storage", "place", "variable", "type", ""];
  const title = leadsTo(element("span", "", `Entry point “${point.name}”`), point.range);
  return section(title, facts, ...(rows.length ? [table(`Interface of ${point.name}`, titles, rows)] : []));
}

function sizeOf({ size, unbounded }: BlockLayout): string {
  return plural(size, "byte") + (unbounded ? " and more" : "");
}

function memberRows(members: BlockMember[], depth: number): HTMLElement[] {
  return members.flatMap((member) => {
    const notes = [
      ...(member.stride === null ? [] : [`stride ${member.stride}`]),
      ...(member.matrixStride === null ? [] : [`${member.rowMajor ? "rows" : "columns"} every ${member.matrixStride}`]),
      ...member.decorations,
    ];
    const cells = [
      member.offset === null ? "?" : String(member.offset),
      member.size === null ? "" : String(member.size),
      member.name || `member ${member.place}`,
      code(member.type),
      notes.join(", "),
    ];
    return [row(cells, null, depth), ...memberRows(member.members, depth + 1)];
  });
}

function block(layout: BlockLayout | null): HTMLElement[] {
  return layout?.members.length ? [table(`Members of ${layout.name}`, ["offset", "size", "member", "type", ""], memberRows(layout.members, 0))] : [];
}

function kindOf({ kind, descriptors }: Resource): string {
  return descriptors === 1 ? kind : `${kind}[${descriptors === null ? "?" : descriptors || ""}]`;
}

function resources(found: Resource[], usersMatter: boolean): HTMLElement[] {
  const rows = found.map((resource) =>
    row(
      [
        String(resource.set ?? "?"),
        String(resource.binding ?? "?"),
        kindOf(resource),
        titled(resource.id, resource.name),
        resource.block ? `${resource.block.name}, ${sizeOf(resource.block)}` : code(resource.type),
        [...resource.flags, ...(usersMatter ? [`used by ${resource.usedBy.join(", ") || "none"}`] : [])].join(", "),
      ],
      resource.range,
    ),
  );
  const blocks = found.flatMap((resource) => {
    const title = element("h3", "", leadsTo(titled(resource.id, resource.name), resource.range));
    return resource.block?.members.length ? [title, ...block(resource.block)] : [];
  });
  return rows.length
    ? [section("Resources", table("Resources", ["set", "binding", "descriptor", "variable", "holds", ""], rows), ...blocks)]
    : [];
}

/** Where a runtime puts a value of a kernel. */
function reflectedPlace(value: KernelArgument | ReflectedValue): string {
  const { set, binding, offset, size } = value;
  const numbers = Object.entries({ set, binding, offset }).flatMap(([name, number]) => (number === null ? [] : [`${name} ${number}`]));
  const parts = [...numbers, ...(size === null ? [] : [plural(size, "byte")])];
  if ("specIds" in value) {
    parts.push(...(value.specIds.length ? [`SpecId ${value.specIds.map((id) => id ?? "?").join(" ")}`] : []));
    parts.push(...(value.dataSize === null ? [] : [`begins with ${plural(value.dataSize, "byte")} of data`]));
  } else {
    parts.push(...(value.specId === null ? [] : [`SpecId ${value.specId}`]));
    parts.push(...(value.elementSize === null ? [] : [`elements of ${plural(value.elementSize, "byte")}`]));
  }
  return parts.join(", ");
}

function kernel(found: Kernel): HTMLElement {
  const facts = element("p", "facts", code(`%${found.function}`));
  const shape = found.requiredSize?.map((part) => part ?? "?").join(" × ");
  const more = [
    found.argumentCount === null ? "" : plural(found.argumentCount, "argument"),
    ...found.flags,
    shape ? `workgroup ${shape} (required)` : "",
    found.attributes,
  ];
  facts.append(...more.filter(Boolean).map((part) => ` · ${part}`));
  const rows = found.arguments.map((argument) => {
    const type = [argument.type, ...argument.qualifiers].filter(Boolean).join(", ");
    const cells = [String(argument.ordinal ?? "?"), argument.kind, reflectedPlace(argument), element("span", "name", argument.name), code(type)];
    return row(cells, argument.range);
  });
  const titles = ["ordinal", "argument", "place", "name", "type"];
  const title = leadsTo(element("span", "", `Kernel “${found.name}”`), found.range);
  return section(title, facts, ...(rows.length ? [table(`Arguments of ${found.name}`, titles, rows)] : []));
}

function kernels({ kernels: found, shared, samplers, formats }: Kernels): HTMLElement[] {
  const all = shared.map((value) => row([value.kind, reflectedPlace(value)], value.range));
  const literal = samplers.map(({ set, binding, normalized, addressing, filter, range }) =>
    row([String(set ?? "?"), String(binding ?? "?"), normalized ? "normalized" : "not normalized", addressing, filter], range),
  );
  const printf = formats.map(({ id, format, sizes, range }) =>
    row([String(id ?? "?"), code(format), sizes.map((size) => size ?? "?").join(" ")], range),
  );
  const titled = (name: string, titles: string[], rows: HTMLElement[]): HTMLElement[] =>
    rows.length ? [section(name, table(name, titles, rows))] : [];
  return [
    ...found.map(kernel),
    ...titled("For all kernels", ["value", "place"], all),
    ...titled("Literal samplers", ["set", "binding", "coordinates", "addressing", "filter"], literal),
    ...titled("Formats of printf", ["id", "format", "sizes in bytes"], printf),
  ];
}

function show(details: Details): void {
  const { sizes } = details;
  summary.textContent = [
    `SPIR-V ${details.version}`,
    details.targetEnv,
    plural(sizes.instructions, "instruction"),
    plural(sizes.words, "word"),
    plural(sizes.functions, "function"),
    `bound ${details.bound}`,
  ].join(" · ");
  const list = (title: string, found: Details["capabilities"]): HTMLElement[] =>
    found.length
      ? [element("dt", "", title), element("dd", "", ...found.map(({ name, range }) => leadsTo(element("span", "chip", name), range)))]
      : [];
  const models = [details.addressingModel, details.memoryModel].filter(Boolean).join(" ") || "none";
  const facts = element(
    "dl",
    "",
    element("dt", "", "Made by"),
    element("dd", "", details.generator),
    element("dt", "", "Memory model"),
    element("dd", "", models),
    ...list("Capabilities", details.capabilities),
    ...list("Extensions", details.extensions),
    ...list("Imports", details.imports),
  );
  const constants = details.specConstants.map((constant) =>
    row(
      [
        String(constant.specId ?? "—"),
        titled(constant.id, constant.name),
        code(constant.type),
        constant.default,
        constant.values,
        constant.usedBy.join(", "),
      ],
      constant.range,
    ),
  );
  const sources = details.sources.map(({ name, language, bytes }) =>
    row([name, language, bytes === null ? "not in the module" : plural(bytes, "byte")], null),
  );
  const needs = details.requirements.flatMap(({ name, askedBy }) =>
    askedBy.map((asked, at) => row([at ? "" : name, asked.name], asked.range)),
  );
  content.replaceChildren(
    facts,
    ...details.entryPoints.map(entryPoint),
    ...resources(details.resources, details.entryPoints.length > 1),
    ...details.pushConstants.map((found) => {
      const size = found.block ? ` · ${sizeOf(found.block)}` : "";
      const title = leadsTo(element("span", "", "Push constants ", titled(found.id, found.name), size), found.range);
      return section(title, ...block(found.block));
    }),
    ...(constants.length ? [section("Specialization constants", table("Specialization constants", ["SpecId", "constant", "type", "default", "values", "used by"], constants))] : []),
    ...kernels(details.reflection),
    ...(sources.length ? [section("Sources", table("Sources", ["name", "language", "text"], sources))] : []),
    ...(needs.length ? [section("Needs of a Vulkan device", table("Needs of a Vulkan device", ["version, extension or feature", "asked for by"], needs))] : []),
  );
}

window.addEventListener("message", ({ data }: MessageEvent<ToPage>) => {
  document.body.classList.toggle("failed", data.type === "failed");
  if (data.type === "failed") {
    summary.textContent = data.reason;
  } else {
    show(data.details);
  }
});
editor.postMessage({ type: "ready" });
