export const teamRequirements: Readonly<Record<string, string>> = {
  T3: 'secrets of upstreams come from the environment or a command, at start and again on 401; an unset one stops the start by name',
  T8: 'a tool hidden for a server or a token is neither listed nor callable',
};
