import { inLanguage, type Messages, shortMessages, type WrongArgument } from './zh.ts';

const words = inLanguage('en', shortMessages);

const REWRITE = 'Run generate again for the same target.';

const tooLarge = (bytes: number, maxBytes: number) =>
  `file too large (${bytes} bytes, limit ${maxBytes}, set by REVERSE_SPEC_MAX_FILE_BYTES), skipped`;

const types = { string: 'a string', boolean: 'a boolean', integer: 'an integer', number: 'a number' };

function wrongArgument({ name, isMissing, expected }: WrongArgument): string {
  const { type, minimum, maximum, choices } = expected;
  const range = minimum === undefined || maximum === undefined ? '' : ` from ${minimum} to ${maximum}`;
  const wanted = choices === undefined ? `${types[type]}${range}` : `one of ${choices.join(', ')}`;
  return isMissing ? `${name} is missing (${wanted})` : `${name} must be ${wanted}`;
}

export const enMessages: Messages = {
  ...words,
  toolFailed: (tool, detail) => `${tool} failed: ${detail}`,
  failures: {
    invalid_arguments: ({ wrong }) => ({
      message: `invalid arguments: ${wrong.map(wrongArgument).join('; ')}`,
    }),
    internal: ({ message }) => ({ message: `internal error: ${message}` }),
    target_not_found: ({ path, why, length }) => {
      if (why === 'too-long') return { message: `target path too long (${length} characters): ${path}` };
      return {
        message: why === 'denied' ? `no access to target: ${path}` : `target does not exist: ${path}`,
      };
    },
    not_a_source: ({ path }) => ({ message: `target is neither a file nor a folder: ${path}` }),
    not_a_folder: ({ path }) => ({ message: `the project's root is not a folder: ${path}` }),
    no_files: ({ path }) => ({ message: `nothing to read in: ${path}` }),
    file_too_large: ({ bytes, maxBytes }) => ({
      message: tooLarge(bytes, maxBytes),
      hint: 'REVERSE_SPEC_MAX_FILE_BYTES (reverse_spec.max_file_bytes) raises the limit.',
    }),
    ast_failed: ({ broken, unsupported, skipped }) => ({
      message: 'no file could be parsed; --deep includes whole files instead',
      hint: `Cause: ${[
        ...(broken > 0 ? [`files that contain only syntax errors: ${broken}`] : []),
        ...(unsupported > 0 ? [`files in a language without a parser: ${unsupported}`] : []),
        ...(skipped > 0 ? [`files that are unreadable, too large or binary: ${skipped}`] : []),
      ].join(', ')}.`,
    }),
    invalid_cursor: ({ cursor }) => ({ message: `invalid cursor: ${cursor}` }),
    cursor_outdated: () => ({
      message: 'outdated cursor: the target changed between two calls',
      hint: 'Call prepare again without a cursor.',
    }),
    no_api_key: () => ({
      message: 'ANTHROPIC_API_KEY is not set',
      hint: 'Set ANTHROPIC_API_KEY where reverse-spec is started, or use astOnly: true (--ast-only) to write from the parsed source alone.',
    }),
    no_price: () => ({
      message: 'the price of the model is unknown, so the cost cannot be limited',
      hint: 'Set REVERSE_SPEC_PRICE (--price) to US dollars per million tokens, INPUT/OUTPUT: 3/15.',
    }),
    output_unwritable: ({ path }) => ({ message: `cannot write to the output folder: ${path}` }),
    spec_not_found: ({ path }) => ({ message: `spec does not exist or cannot be read: ${path}` }),
    baseline_missing: ({ path }) => ({ message: `spec has no baseline: ${path}`, hint: REWRITE }),
    baseline_damaged: ({ path, damage }) => ({
      message: `the baseline of the spec is damaged (${words.damages[damage]}): ${path}`,
      hint: REWRITE,
    }),
    not_in_baseline: ({ path }) => ({
      message: `the baseline of the spec does not contain this file: ${path}`,
    }),
    no_specs: ({ path }) => ({
      message: `no specs found in: ${path}`,
      hint: 'reverse-spec batch --ast-only',
    }),
    bad_rules: ({ file, line, text, rules }) => ({
      message: `${file}: line ${line} is not a rule: ${text}`,
      hint: rules,
    }),
    llm_failed: ({ service, status, reason, said }) => {
      const name = service === 'anthropic' ? 'Claude API' : 'the model service';
      const shown = said === undefined ? '' : ` (${said})`;
      return {
        message:
          status === undefined
            ? `${name}: ${words.reasons[reason]}`
            : `${name} answered ${status}: ${words.reasons[reason]}${shown}`,
        ...(status === 401 && { hint: 'Is the API key valid?' }),
      };
    },
  },
  batchStages: {
    parsed: (done, total, path) => `parsed ${done}/${total} files: ${path}`,
    written: (done, total, label) => `wrote ${done}/${total} modules: ${label}`,
    money: (cost) => (cost === null ? '' : ` ($${cost.toFixed(2)})`),
  },
  batchEnd: {
    took: (seconds, cost) =>
      `took ${seconds.toFixed(1)} s${cost === null ? '' : `, cost about $${cost.toFixed(2)}`}`,
    leftOut: (count, price, names) =>
      `left out for their cost: ${count} modules (about $${price.toFixed(2)}): ${names}`,
  },
  warnings: {
    brokenFiles: (count) => `${count} files have syntax errors; only the readable part is described`,
    unparsedFiles: (count) => `${count} files were not parsed, see the list of files`,
    contextCut: (parts) => `the context exceeded the token budget; left out: ${parts}`,
    contextSplit: (calls) => `the skeleton exceeded the token budget; split into ${calls} calls`,
    answerCut: "the model's answer was cut off",
    answerPartial: "the model's answer is incomplete",
    answerRefused: 'the model refused; written from the parsed source alone',
    answerUnreadable: "the model's answer could not be read; written from the parsed source alone",
    unknownNames: (names, sentence) =>
      `left out, since ${names.map((name) => `\`${name}\``).join(', ')} occurs in none of the files: ${sentence}`,
    writtenFromTree: (cause, sections) => `${cause}; from the parsed source alone: ${sections}`,
  },
  note: (note) => (note.code === 'too-large' ? tooLarge(note.bytes, note.maxBytes) : words.notes[note.code]),
  drift: {
    ...words.drift,
    removed: (what) => `${what} was removed from the source`,
    removedUpdate: (name) =>
      `remove ${name} from the interface, and check what the business logic says about it`,
    added: (what) => `${what} is new and not in the spec`,
    addedUpdate: (name) => `add ${name} to the interface`,
    renamed: (what, to) => `${what} is called ${to} now`,
    renamedUpdate: (from, to) => `rename ${from} to ${to} in the spec`,
    moved: (what, from, to) => `${what} moved from ${from} to ${to}, its signature unchanged`,
    movedUpdate: (name, to) => `${name} is in ${to} now`,
    changed: (what, aspect) => `the ${aspect} of ${what} changed`,
    changedUpdate: (name, aspect) => `update ${name} in the interface to its new ${aspect}`,
    alsoMoved: (from, to) => `, and it moved from ${from} to ${to}`,
    stale: (claim, place) => `"${claim}" is based on ${place}, which changed`,
    staleUpdate: 'check this sentence again, or write the spec again',
    advice: {
      high: (count) => `${count} breaking changes: check what they affect, then write the spec again.`,
      medium: (count) => `${count} changes of the interface: the spec should be updated.`,
      low: (count) => `Only ${count} additions or moves: update the spec when convenient.`,
      none: 'The spec matches the source.',
    },
    doubt: (files) => ` ${files} files have syntax errors or cannot be read; the result may be incomplete.`,
    filtered: (count) => ` (${count} differences without meaning left out)`,
    report: {
      ...words.drift.report,
      columns: ['what', 'value'],
    },
  },
  prepared: ({ files, unread, exports, tokens, cut }) =>
    `${files} files (${unread} not parsed), ${exports} exports, about ${tokens} tokens${cut === '' ? '' : `; left out: ${cut}`}`,
  checked: ({ specs, high, medium, low, filtered, partly }) =>
    `${specs} specs: ${high} HIGH, ${medium} MEDIUM, ${low} LOW, ${filtered} filtered${partly === 0 ? '' : `, ${partly} files only partly read`}`,
};
