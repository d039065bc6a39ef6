/** Times that CI services, containers and build tools print before each line. */

/** GitHub Actions, Azure Pipelines; BuildKit's step and seconds. */
const PREFIX =
  /^(?:\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z ?|#\d+ \d+\.\d+ |\[\d\d:\d\d:\d\d\] ?:?\s*(?:\[[^\]]{1,40}\] )?)/;

/** Returns lines without such prefixes and without carriage returns at their end. */
export function withoutTimes(lines: readonly string[]): readonly string[] {
  return lines.map((line) => {
    const plain = line.endsWith('\r') ? line.slice(0, -1) : line;
    return plain.replace(PREFIX, '');
  });
}
