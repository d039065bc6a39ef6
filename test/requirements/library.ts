/** The library for people who build agents. */
export const libraryRequirements: Readonly<Record<string, string>> = {
  L1: '`createSecateur` cuts a text, recovers its lines and explains the cut; on an internal error `cut` resolves with the original text.',
  L2: 'Nothing starts, listens or is written before the first call; the engine runs in a worker, or in the calling thread with `maxWorkers: 0`.',
  L3: 'Adapters for AI SDK, Claude Agent SDK, OpenAI Agents, LangChain and MCP cut tool outputs and add `recover_text`; those that see the messages take the focus from them, MCP transports and the LangChain tool from the calls; each framework is an optional peer.',
  L4: 'The exported types are checked as a user sees them: publint, attw, and strict projects compiled against the packed package.',
  L5: 'One page of documentation and one runnable example per framework; the model sees the cut text, asks for lines and gets them.',
  L6: 'The package is ESM for Node 20.19 and newer, has no install script and needs no native module.',
  L7: 'A test lists every export of the library.',
};
