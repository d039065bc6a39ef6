<?php
// What PHP's own parser (the extension php-ast) says a file declares, one JSON object a line for each path on standard
// input. php-ast knows lines alone: the text of a signature is cut from PHP's own tokens.
const KIND_VERSION = 85;

final class Reader
{
    public array $items = [];
    private array $tokens;

    public function __construct(string $source)
    {
        $this->tokens = PhpToken::tokenize($source);
        $this->statements(ast\parse_code($source, KIND_VERSION)->children);
    }

    private function statements(array $nodes): void
    {
        foreach ($nodes as $node) {
            if (!$node instanceof ast\Node) continue;
            match ($node->kind) {
                ast\AST_NAMESPACE, ast\AST_STMT_LIST => $this->inside($node),
                ast\AST_IF => $this->branches($node),
                ast\AST_CLASS => $this->type($node),
                ast\AST_FUNC_DECL => $this->add($node->children['name'], true, $this->head($node, $node->children['name'], T_FUNCTION)),
                ast\AST_CONST_DECL => $this->constants($node, '', true),
                ast\AST_CALL => $this->define($node),
                default => null,
            };
        }
    }

    private function inside(ast\Node $node): void
    {
        $body = $node->kind === ast\AST_NAMESPACE ? $node->children['stmts'] : $node;
        if ($body !== null) $this->statements($body->children);
    }

    private function branches(ast\Node $node): void
    {
        foreach ($node->children as $branch) $this->statements([$branch->children['stmts']]);
    }

    private function define(ast\Node $node): void
    {
        $called = $node->children['expr'];
        if ($called->kind !== ast\AST_NAME || strtolower($called->children['name']) !== 'define') return;
        $name = $node->children['args']->children[0] ?? null;
        if (is_string($name)) $this->add($name, true, null);
    }

    private function type(ast\Node $node): void
    {
        $name = $node->children['name'];
        $isEnum = (bool) ($node->flags & ast\flags\CLASS_ENUM);
        $head = $this->head($node, $name, T_CLASS, T_INTERFACE, T_TRAIT, T_ENUM);
        // An enum's signature may hold its cases: nothing to cut it at.
        $this->add($name, true, $isEnum ? null : $head);
        foreach ($node->children['stmts']->children as $member) $this->member($name, $member);
    }

    private function member(string $owner, ast\Node $node): void
    {
        $seen = !($node->flags & ast\flags\MODIFIER_PRIVATE);
        switch ($node->kind) {
            case ast\AST_METHOD:
                $this->add("$owner.{$node->children['name']}", $seen, $this->head($node, $node->children['name'], T_FUNCTION));
                foreach ($node->children['params']->children as $parameter) $this->promoted($owner, $parameter);
                break;
            case ast\AST_PROP_GROUP:
                foreach ($node->children['props']->children as $each) $this->add("$owner.{$each->children['name']}", $seen, null);
                break;
            case ast\AST_CLASS_CONST_GROUP:
                $this->constants($node->children['const'], "$owner.", $seen);
                break;
            case ast\AST_ENUM_CASE:
                $this->add("$owner.{$node->children['name']}", true, null);
                break;
        }
    }

    private function promoted(string $owner, ast\Node $parameter): void
    {
        $flags = $parameter->flags & (ast\flags\PARAM_MODIFIER_PUBLIC | ast\flags\PARAM_MODIFIER_PROTECTED | ast\flags\PARAM_MODIFIER_PRIVATE);
        $isReadonly = $parameter->flags & ast\flags\MODIFIER_READONLY;
        if ($flags || $isReadonly) $this->add("$owner.{$parameter->children['name']}", !($flags & ast\flags\PARAM_MODIFIER_PRIVATE), null);
    }

    private function constants(ast\Node $list, string $owner, bool $seen): void
    {
        foreach ($list->children as $each) $this->add($owner . $each->children['name'], $seen, null);
    }

    private function add(string $name, bool $exported, ?string $signature): void
    {
        $this->items[] = ['name' => $name, 'exported' => $exported, 'signatures' => array_values(array_filter([$signature]))];
    }

    /** From the attributes and modifiers to the brace or the semicolon. */
    private function head(ast\Node $node, string $name, int ...$words): ?string
    {
        foreach ($this->tokens as $at => $token) {
            if ($token->line < $node->lineno || $token->text !== $name || !$this->follows($at, $words)) continue;
            return $this->cut($this->opens($this->before($at, $words)), $at);
        }
        return null;
    }

    private function follows(int $at, array $words): bool
    {
        $word = $this->before($at, $words);
        return $word !== null;
    }

    private function before(int $at, array $words): ?int
    {
        $at--;
        while ($at > 0 && $this->isPassed($this->tokens[$at])) $at--;
        return in_array($this->tokens[$at]->id, $words, true) ? $at : null;
    }

    private function isPassed(PhpToken $token): bool
    {
        return $token->isIgnorable() || $token->text === '&';
    }

    private const MODIFIERS = [T_ABSTRACT, T_FINAL, T_PUBLIC, T_PROTECTED, T_PRIVATE, T_STATIC, T_READONLY];

    private function opens(int $at): int
    {
        $start = $at;
        for ($at--; $at > 0; $at--) {
            $token = $this->tokens[$at];
            if ($token->isIgnorable() && $token->id !== T_OPEN_TAG) continue;
            if (in_array($token->id, self::MODIFIERS, true)) $start = $at;
            elseif ($token->text === ']' && ($attribute = $this->attribute($at)) !== null) $start = $at = $attribute;
            else break;
        }
        return $start;
    }

    private function attribute(int $at): ?int
    {
        for ($depth = 0; $at > 0; $at--) {
            $text = $this->tokens[$at]->text;
            if ($text === ']') $depth++;
            if ($text === '[' || $text === '#[') $depth--;
            if ($depth === 0) return $text === '#[' ? $at : null;
        }
        return null;
    }

    private function cut(int $from, int $at): string
    {
        $text = '';
        $depth = 0;
        for ($index = $from; $index < count($this->tokens); $index++) {
            $token = $this->tokens[$index];
            if ($token->text === '(') $depth++;
            if ($token->text === ')') $depth--;
            if ($index > $at && $depth === 0 && ($token->text === '{' || $token->text === ';')) break;
            $text .= $token->text;
        }
        return rtrim($text);
    }
}

while (($path = fgets(STDIN)) !== false) {
    $path = rtrim($path, "\n");
    try {
        $answer = ['path' => $path, 'items' => (new Reader(file_get_contents($path)))->items];
    } catch (Error $error) {
        $answer = ['path' => $path, 'error' => $error->getMessage()];
    }
    echo json_encode($answer, JSON_INVALID_UTF8_SUBSTITUTE), "\n";
}
