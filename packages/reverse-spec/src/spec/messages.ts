import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { en } from './words/messages/en.ts';
import { fr } from './words/messages/fr.ts';
import type { FailureData, FailureText, WrongArgument } from './words/messages/zh.ts';
import { type Messages, zh } from './words/messages/zh.ts';
import type { DocumentLanguage } from './words.ts';

export type { WrongArgument };

const messages: Readonly<Record<DocumentLanguage, Messages>> = { zh, en, fr };

/** Defaults to Chinese, the contract's language. */
export function messagesIn(language: DocumentLanguage | undefined): Messages {
  return messages[language ?? 'zh'];
}

/** A failure by its code and what it knows. It bears the contract's words until a command or tool says it in another language. */
export function specError<Code extends keyof FailureData>(
  code: Code,
  data: FailureData[Code],
  cause?: unknown,
): DomainError {
  const { message, hint } = zh.failures[code](data);
  return new DomainError(code, message, {
    data: { ...data },
    ...(hint !== undefined && { hint }),
    ...(cause !== undefined && { cause }),
  });
}

/** Translates a failure; one that is not from reverse-spec stays as it is. */
export function saidIn(language: DocumentLanguage | undefined, error: DomainError): DomainError {
  if (language === undefined || language === 'zh') return error;
  const texts = messagesIn(language).failures as Partial<Record<string, (data: unknown) => FailureText>>;
  const text = texts[error.code]?.(error.data);
  if (text === undefined) return error;
  const { code, data, cause } = error;
  return new DomainError(code, text.message, {
    data,
    ...(text.hint !== undefined && { hint: text.hint }),
    ...(cause !== undefined && { cause }),
  });
}
