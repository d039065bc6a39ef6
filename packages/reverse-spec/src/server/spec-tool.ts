import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { isFields } from '@secateur/base/text/json.ts';
import { Type } from '@secateur/base/tools/schema.ts';
import { compileArgumentCheck } from '@secateur/base/tools/schema-check.ts';
import { defineTool, type FieldError, type Tool, type ToolResult } from '@secateur/base/tools/tool.ts';
import type { Static, TObject } from 'typebox';
import {
  type DocumentLanguage,
  documentLanguages,
  localizeError,
  messagesIn,
  specError,
  type WrongArgument,
} from '../spec/locales.ts';
import type { ReverseSpecParts } from './server.ts';

interface SpecTool<Schema extends TObject>
  extends Required<Pick<Tool, 'name' | 'description' | 'annotations'>> {
  inputSchema: Schema;
  /** Runs the tool. The result is sent as JSON, or as text if it is `TextBlocks`. */
  run(args: Static<Schema>, parts: ReverseSpecParts): Promise<unknown>;
}

/** Creates a tool. Every error becomes a result that the model can read: `<tool> 失败: <detail>`. */
export function specTool<Schema extends TObject>(parts: ReverseSpecParts, tool: SpecTool<Schema>): Tool {
  const { name, description, annotations, inputSchema } = tool;
  const check = compileArgumentCheck(inputSchema);
  return defineTool({
    name,
    description,
    annotations,
    inputSchema,
    acceptSchema: Type.Object({}),
    handle: async (args, context) => {
      const wrong = check(args);
      const { lang } = args as { lang?: unknown };
      const asked = documentLanguages.find((each) => each === lang);
      const language = asked ?? parts.messageLanguage;
      if (wrong.length > 0) return failure(name, badArguments(wrong, args, inputSchema), language);
      try {
        const result = await tool.run(args, {
          ...parts,
          signal: context.signal,
          progress: ({ done, total, message }) => context.progress({ progress: done, total, message }),
          ...(asked && { language: asked }),
          ...(language && { messageLanguage: language }),
        });
        const texts = result instanceof TextBlocks ? result.texts : [JSON.stringify(result)];
        return { content: texts.map((text) => ({ type: 'text', text })) };
      } catch (error) {
        return failure(name, error, language);
      }
    },
  });
}

/** A result that is sent as text. In JSON each line break would be the two characters `\n`. */
export class TextBlocks {
  readonly texts: readonly string[];

  constructor(texts: readonly string[]) {
    this.texts = texts;
  }
}

/** Returns an error that lists the allowed values of each wrong argument. It is translated later. */
function badArguments(fieldErrors: readonly FieldError[], args: unknown, schema: TObject): DomainError {
  const names = new Set(fieldErrors.map(({ field }) => field.split(/[.[]/)[0] ?? field));
  const wrong = [...names].map((name) => ({
    name,
    isMissing: !isFields(args) || args[name] === undefined,
    expected: expectedBy(schema.properties[name] ?? {}),
  }));
  return specError('invalid_arguments', { wrong });
}

function expectedBy({ type = 'string', minimum, maximum, anyOf }: ArgumentSchema): WrongArgument['expected'] {
  return { type, minimum, maximum, choices: anyOf?.map((each) => String(each.const)) };
}

type ArgumentSchema = Partial<Pick<WrongArgument['expected'], 'minimum' | 'maximum' | 'type'>> & {
  readonly anyOf?: readonly { readonly const?: unknown }[];
};

/** Returns an error as one text block: the message, then its hint or, for a bug, the stack. */
function failure(tool: string, error: unknown, language: DocumentLanguage | undefined): ToolResult {
  const { toolFailed, failures } = messagesIn(language);
  if (error instanceof DomainError && Object.hasOwn(failures, error.code)) {
    const { message, hint } = localizeError(language, error);
    return errorResult([toolFailed(tool, message), hint]);
  }
  const { message, stack } = error instanceof Error ? error : { message: String(error), stack: undefined };
  const said = localizeError(language, specError('internal', { message }));
  return errorResult([toolFailed(tool, said.message), error instanceof DomainError ? error.hint : stack]);
}

function errorResult(lines: readonly (string | undefined)[]): ToolResult {
  const text = lines.filter((line) => line !== undefined).join('\n');
  return { content: [{ type: 'text', text }], isError: true };
}
