import { type Command, defineCommand } from '@secateur/serving/commands/command.ts';
import { printable } from '@secateur/serving/commands/terminal.ts';
import { storeSwitch, switchedOff } from '@secateur/serving/config/off-switch.ts';

/** `secateur off` and `secateur on` (A17). */
export const off = switchCommand(false);
export const on = switchCommand(true);

function switchCommand(isOn: boolean): Command {
  const name = isOn ? 'on' : 'off';
  return defineCommand({
    usage: '[--everywhere]',
    details: isOn
      ? 'Undoes `secateur off` for the project of this folder; with --everywhere for all projects.'
      : 'From the next output on, hooks, `secateur run` and the focus tools return outputs of this project unchanged. Lines that were cut before can still be recovered. SECATEUR=off in the environment does the same for one session.',
    sections: [],
    options: { everywhere: { type: 'boolean', doc: 'all projects, not only this one' } },
    examples: [
      { line: `secateur ${name}`, does: `switches cuts ${name} in this project` },
      { line: `secateur ${name} --everywhere`, does: `switches cuts ${name} in all projects` },
    ],
    run: async ({ options: { everywhere }, origin, terminal }) => {
      const project = await storeSwitch(origin, { isOn, everywhere });
      const place = everywhere ? 'in all projects' : `in ${project}`;
      terminal.line(printable(`Cuts are ${name} ${place}.`));
      const still = isOn ? switchedOff(origin, origin.cwd) : undefined;
      if (still !== undefined) terminal.note(printable(`They are still off here: ${still}.`));
    },
  });
}
