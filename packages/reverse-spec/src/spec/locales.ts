import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { en } from './locales/en.ts';
import { fr } from './locales/fr.ts';
import { enMessages } from './locales/messages/en.ts';
import { frMessages } from './locales/messages/fr.ts';
import {
  type DocumentLanguage,
  documentLanguages,
  type FailureData,
  type FailureText,
  type Messages,
  type WrongArgument,
  zhMessages,
} from './locales/messages/zh.ts';
import { type LocaleStrings, zh } from './locales/zh.ts';

export type { DocumentLanguage, LocaleStrings, WrongArgument };
export { documentLanguages };

/** Strings of documents by language. A new language needs two files in `locales/`, a column in the tables there, and entries below. */
export const stringsByLanguage: Readonly<Record<DocumentLanguage, LocaleStrings>> = { zh, en, fr };

const messages: Readonly<Record<DocumentLanguage, Messages>> = {
  zh: zhMessages,
  en: enMessages,
  fr: frMessages,
};

/** Returns the messages in a language. Default: Chinese, the language of the contract. */
export function messagesIn(language: DocumentLanguage | undefined): Messages {
  return messages[language ?? 'zh'];
}

/** Creates an error with a Chinese message, as the contract requires. `localizeError` translates it. */
export function specError<Code extends keyof FailureData>(
  code: Code,
  data: FailureData[Code],
  cause?: unknown,
): DomainError {
  const { message, hint } = zhMessages.failures[code](data);
  return new DomainError(code, message, {
    data: { ...data },
    ...(hint !== undefined && { hint }),
    ...(cause !== undefined && { cause }),
  });
}

/** Translates an error of reverse-spec. Other errors are returned unchanged. */
export function localizeError(language: DocumentLanguage | undefined, error: DomainError): DomainError {
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
