import { hookProgram } from '../cli/hook-program.ts';
import { start } from '../main.ts';

await start(hookProgram);
