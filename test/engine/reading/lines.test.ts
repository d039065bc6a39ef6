import { expect, it } from 'vitest';
import { cleanLine, isNumbered } from '../../../packages/engine/src/reading/read.ts';

it.each([
  ['as it is', 'a plain line', 'a plain line'],
  ['without colours', '\u001b[1;31mred\u001b[0m and \u001b[38;5;9mmore', 'red and more'],
  ['without cursor moves', '\u001b[2K\u001b[1Gdone\u001b[?25h', 'done'],
  ['without the address of a link', '\u001b]8;;https://a.example\u0007here\u001b]8;;\u001b\\', 'here'],
  ['without a line feed of Windows', 'a line\r', 'a line'],
  ['as it was drawn last', '10%\r50%\r100%', '100%'],
  ['as it was drawn last, with a carriage return after it', '10%\r100%\r', '100%'],
  ['as an empty string if it is only a carriage return', '\r', ''],
  ['as an empty string after two carriage returns', '10%\r\r', ''],
  ['without colours and earlier bars', '\u001b[32m10%\r\u001b[32m20%\u001b[0m\r', '20%'],
])('cleanLine returns the line %s', (_, line, shown) => {
  expect(cleanLine(line)).toBe(shown);
});

it.each([
  ['yes to `cat -n`', ['     1\tone', '     2\ttwo', '     3\tthree'], true],
  ['yes to `grep -n`', ['4:one', '9:two', '12:three'], true],
  ['no to a linter with line and column', ['   4:1  warning', '   9:22  warning', '  12:3  error'], false],
  ['no to times of day', ['12:00:01 started', '12:00:02 ready', '12:00:03 done'], false],
])('[P50] isNumbered answers %s', (_, sample, expected) => {
  expect(isNumbered(sample)).toBe(expected);
});
