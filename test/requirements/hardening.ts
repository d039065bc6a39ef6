/** What holds under load, faults and attack. */
export const hardeningRequirements: Readonly<Record<string, string>> = {
  X1: 'No input of any size makes any regular expression or loop of ours worse than linear; a check proves it for every expression.',
  X2: 'Work for a client that left is abandoned within 100 ms; timeout_ms is at most 600,000.',
  X3: 'recover_text takes at most 1,000 ranges and gives back a bounded answer; beyond it -32005 names max_bytes and how to go on.',
  X4: 'No call, finished, failed or aborted at any moment, leaves a descriptor, a child, a timer or a temporary file behind.',
  X5: 'A store that fails, fills, is damaged or vanishes never ends a process and never returns wrong text.',
  X6: 'Memory is bounded by settings whatever clients do; over a bound 503 or 429 with Retry-After and a JSON-RPC error, before the body is read.',
  X8: 'Loopback callers of tools that read or run are the server’s own user (Linux) or hold the token.',
  X9: 'Content types: JSON only on RPC routes when an Origin is sent.',
  X10: 'Secrets: one list of names and one set of value rules for shells, prompts, logs and documents.',
  X11: 'A handle inside a text is never rewritten; a marker of ours is told from a look-alike by its id being known.',
  X14: 'Upstreams: every way of ending, stalling, flooding or lying gives one clear error to the one client concerned, counts for the breaker, and costs bounded memory.',
  X16: 'What we keep for ourselves is readable by its owner only, whatever the umask.',
  X19: 'A test that damages, fills, freezes or kills a real part exists for every store, upstream kind and server.',
};
