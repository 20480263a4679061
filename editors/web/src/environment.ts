/** The chooser of the environment: it shows what a comment of the text names, and edits that, or else sets what the server is told. */
import type { Summary, TargetChoices } from "../../vscode/src/protocol";
import { sync } from "./findings";
import type { Subject } from "./views";

const OF_SETTING = "What the text is checked for; a comment “; spvls: target-env=…” in it comes first";
const OF_COMMENT = "A comment of the text names this environment; another choice changes the comment";

export class EnvironmentChooser {
  private setting = "";
  private isNamed = false;

  /** `told` is called when the setting has another value. */
  constructor(
    private readonly select: HTMLSelectElement,
    private readonly source: HTMLElement,
    private readonly subject: Subject,
    private readonly told: () => void,
  ) {
    this.show("");
  }

  /** What is chosen for texts that name none. */
  get value(): string {
    return this.setting;
  }

  set value(name: string) {
    this.setting = name;
    if (!this.isNamed) {
      this.show("");
    }
  }

  /** Follows the text, which may name an environment now. */
  async refresh(): Promise<void> {
    this.show(await this.named());
  }

  /** What the user chose: written into the comment where there is one. */
  async choose(): Promise<void> {
    const wanted = this.select.value;
    sync(this.subject.view);
    if (!(await this.named())) {
      this.setting = wanted;
      this.told();
      return;
    }
    const params = { comment: wanted, position: this.subject.cursor };
    const { edits = [] } = await this.subject.ask<TargetChoices>("spvls/environments", params);
    const changes = edits.map(({ range, newText }) => ({
      from: this.subject.offset(range.start),
      to: this.subject.offset(range.end),
      insert: newText,
    }));
    this.subject.view.dispatch({ changes, userEvent: "input" });
    if (!wanted && this.setting) {
      this.setting = "";
      this.told();
    }
  }

  /** The environment that a comment of the text names, or "". */
  private async named(): Promise<string> {
    const { targetEnv, decidedBy } = await this.subject.ask<Summary>("spvls/summary", { position: this.subject.cursor });
    return decidedBy === "comment" ? (targetEnv ?? "") : "";
  }

  private show(named: string): void {
    this.isNamed = named !== "";
    this.select.value = named || this.setting;
    this.select.title = named ? OF_COMMENT : OF_SETTING;
    this.source.hidden = !named;
  }
}
