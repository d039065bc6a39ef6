/** In the agent's path: hooks (A1–A10), plugin and connect (A20–A22). */
export const agentPathRequirements: Readonly<Record<string, string>> = {
  A1: 'secateur hook CLIENT and POST /hooks/CLIENT answer one hook event alike; the ledger names the client.',
  A2: 'Whatever is odd, broken or slow: exit 0 and {}; standard error stays empty unless asked; the event log says what it was.',
  A3: 'Claude Code gets an answer of the very shape of the tool response, with only texts changed.',
  A4: 'Codex gets the one answer it honours; exit codes and errors are unchanged.',
  A5: 'The focus comes from the end of the transcript, bounded; nothing of it is stored or logged.',
  A6: 'Short outputs, diffs, excluded files, own tools and calls made again pass whole.',
  A7: 'Cut lines come back without set-up, and a session is told once how.',
  A9: 'secateur run cuts what a command printed and ends with its exit code or signal.',
  A10: 'Answers carry compact markers.',
  A14: 'Recovery gives everything or several numbered ranges, the first line names what works in this client, and a file whose read was cut is read unchanged after it.',
  A16: 'Numbers in compact markers are those the agent sees, the first line says which, and recovery takes them.',
  A11: 'GitHub Copilot CLI and opencode get the same through their own hooks; a client is one file.',
  A20: 'The repository is a marketplace with one plugin that the client itself validates; it works installed and from a clone.',
  A21: 'connect sets up hooks, tools and gateway, shows it first, and undoes it byte for byte; no secret reaches a project file.',
  A22: 'doctor CLIENT sends a sample event through the installed hook and shows what the agent would see.',
  A8: 'Writing a marker is refused, with the call that recovers the lines; a setting allows it.',
};
