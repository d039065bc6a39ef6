const NAMES = ['parse', 'render', 'merge', 'fetch', 'retry', 'index', 'flush', 'cache', 'route', 'sweep'];

/** Source code of our own making: functions of a dozen lines over a small vocabulary, the same every time. */
export function sourceText(chars: number): string {
  const lines: string[] = ['import time', 'from policy import Policy', ''];
  let length = 0;
  for (let number = 0; length < chars; number += 1) {
    const functionLines = functionText(number);
    lines.push(...functionLines);
    length += functionLines.join('\n').length + 1;
  }
  return lines.join('\n').slice(0, chars);
}

function functionText(number: number): string[] {
  const name = `${NAMES[number % 10]}_${NAMES[(number * 7 + 3) % 10]}_${number}`;
  const body = Array.from(
    { length: 9 + (number % 5) },
    (_, line) =>
      `    ${NAMES[(number + line) % 10]} = policy.${NAMES[(number * line) % 10]}(attempt=${line}, limit=${number})`,
  );
  return [
    `def ${name}(policy, attempt):`,
    `    """Applies the policy to attempt ${number}."""`,
    ...body,
    `    return ${name}`,
    '',
  ];
}

const STATES = ['active', 'idle', 'new'];

/** A table in CSV with so many rows below its heading, the same every time. */
export function tableText(rows: number): string {
  const lines = Array.from({ length: rows }, (_, row) => {
    const day = String(1 + (row % 28)).padStart(2, '0');
    return `${row},user ${(row * 7919) % rows},u${row}@example.org,${STATES[row % 3]},${((row * 7919) % 100_003) / 100},2026-10-${day}`;
  });
  return ['id,name,address,state,amount,created', ...lines].join('\n');
}
