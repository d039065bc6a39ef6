/** The clauses of docs/contracts/audit.md. */
export const auditRequirements: Readonly<Record<string, string>> = {
  AU1: 'every cut, masking and recovery is one ledger entry of names and sizes, never text, goal, path or secret',
  AU2: 'net is saved less asked back, everywhere; a cut wholly asked back is a loss',
  AU3: 'the ledger is bounded, survives kill -9, may have several writers and never blocks one',
  AU4: 'money only at prices the settings give, input, cache write and cache read apart, the price named',
  AU5: 'secateur stats with --since, --by and --json',
  AU6: 'secateur explain tells for each removed block its reason and for each kept line what kept it, as GET /api/cuts/ID does',
  AU7: 'the page is at / of the pruner’s port, its data below /api, live by server-sent events; secateur page names it',
  AU8: 'overview: net tokens and money over time, by client, server and tool; fallbacks, recoveries, latency',
  AU9: 'cuts newest first, filtered; one opens side by side, foldable, with reasons, and its lines can be copied',
  AU10: 'where the text has expired the entry says so and shows the figures alone',
  AU11: 'the checks of every route, a login where a token is set, a strict content policy, no request to another host',
  AU12: 'keyboard, landmarks, contrast, both themes, from 360 pixels; hostile text is text',
  AU13: 'GET /metrics on every HTTP server, names secateur_*, base units, few labels; protected like the rest',
  AU14: 'traces only where a collector is named; spans name operation, sizes and outcome, never contents, and continue the client’s trace',
  AU15: 'status --json and /health stay as they are',
  AU16: 'all of it off with one setting; off, it costs nothing',
};
