/** A key of JSON or YAML whose value stands below it, or a section of TOML or INI. */
export interface KeyLine {
  /** 0-based. */
  index: number;
  indent: number;
  key: string;
}

const JSON_KEY = /^(\s*)"([^"\\]{1,60})"\s*:\s*[[{]\s*$/;
const YAML_KEY = /^(\s*(?:- )*)["']?([\w./$@ -]{1,60}?)["']?:(?:\s*[|>][-+]?)?\s*$/;

export function keysIn(lines: readonly string[]): KeyLine[] {
  return lines.flatMap((line, index) => {
    const head = line.slice(0, 200);
    const [, indent = '', key] = JSON_KEY.exec(head) ?? YAML_KEY.exec(head) ?? [];
    return key === undefined ? [] : [{ index, indent: indent.length, key }];
  });
}

/** `[tool.ruff]` and `[[package]]` of TOML, `[core]` of an INI file. */
const SECTION = /^\[{1,2}([\w@."':$ /-]{1,100})\]{1,2}\s*(?:[#;].*)?$/;

export function sectionsIn(lines: readonly string[]): KeyLine[] {
  return lines.flatMap((line, index) => {
    const key = SECTION.exec(line.slice(0, 200))?.[1];
    return key === undefined ? [] : [{ index, indent: 0, key }];
  });
}
