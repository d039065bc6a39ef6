/** Short logs of services and systems, and texts that only look like one. */

function repeat(count: number, line: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => line(index)).join('\n');
}

const SERVICE = `${repeat(8, (i) => `2026-03-01 10:00:0${i},120 INFO  [http] req-${4100 + i} GET /v1/items/${i * 7} 200 ${10 + i} ms`)}
2026-03-01 10:00:09,002 WARNING [pool] waited 3120 ms for a connection`;

const SYSLOG = repeat(
  8,
  (i) =>
    `Mar  1 10:00:0${i} web1 sshd[${900 + i}]: Accepted publickey for deploy from 10.0.0.${i} port 5${i}022`,
);

const ACCESS = repeat(
  8,
  (i) =>
    `10.0.0.${i} - - [01/Mar/2026:10:00:0${i} +0000] "GET /items/${i} HTTP/1.1" 200 ${512 + i} "-" "curl/8.5.0"`,
);

const JSON_LINES = repeat(
  8,
  (i) => `{"level":"info","time":${1772359200000 + i},"msg":"request completed","status":200,"ms":${10 + i}}`,
);

const DPKG = repeat(8, (i) => `2026-03-01 10:00:0${i} status installed libfoo${i}:amd64 1.${i}-1`);

const LOGFMT = repeat(8, (i) => `time=2026-03-01T10:00:0${i}Z level=info msg="cache hit" key=item:${i}`);

const DIARY = `2026-03-01 was a Sunday.
It rained.
We stayed at home and read.
2026-03-02 was a Monday.
We went to work.
It did not rain.
In the evening we read again.`;

const TABLE = `name   size  changed
cart   120   2026-03-01
price  80    2026-03-02
tax    44    2026-03-02`;

export const LOG_EXAMPLES = {
  is: [SERVICE, SYSLOG, ACCESS, JSON_LINES, DPKG, LOGFMT],
  isNot: [DIARY, TABLE],
};
