# What Ruby's own Ripper says a file declares, one JSON object a line for each path on standard input.
require 'json'
require 'ripper'

class Reader
  attr_reader :items

  BRANCHES = %i[begin if unless else elsif rescue ensure case when if_mod unless_mod bodystmt rescue_mod].freeze
  ATTRIBUTES = %w[attr attr_reader attr_writer attr_accessor].freeze
  DEFINERS = %w[define_method alias_method define_singleton_method].freeze
  SIGHTS = %w[public private protected module_function].freeze

  def initialize(text)
    @items = []
    @tokens = Ripper.lex(text)
    @at = @tokens.each_with_index.to_h { |token, index| [token[0], index] }
    tree = Ripper.sexp(text) or raise SyntaxError, 'syntax'
    body(tree[1], '', true)
  end

  # The statements of a file or class, in order, with Ruby's rules of sight.
  def body(statements, owner, open)
    from = @items.length
    hiding = false
    hidden = []
    each_statement(statements) do |node|
      word = bare_word(node)
      if SIGHTS.include?(word)
        hiding = %w[private protected].include?(word)
        next
      end
      hiding_here = hiding && %i[def alias command method_add_arg].include?(node[0])
      statement(node, owner, open && !hiding_here, hidden, open)
    end
    @items[from..].each { |item| item[:exported] = false if hidden.include?(item[:name]) }
  end

  def each_statement(statements, &block)
    return unless statements.is_a?(Array)
    statements = [statements] if statements[0].is_a?(Symbol)
    statements.each do |node|
      next unless node.is_a?(Array)
      if node[0].is_a?(Array) then each_statement(node, &block)
      elsif BRANCHES.include?(node[0]) then node[1..].each { |part| each_statement(part, &block) if part.is_a?(Array) && !position?(part) }
      elsif node[0].is_a?(Symbol) then yield node
      end
    end
  end

  def position?(part) = part.length == 2 && part.all?(Integer)

  def statement(node, owner, open, hidden, open_class)
    case node[0]
    when :module then container(node, owner, open_class, node[2], nil)
    when :class then container(node, owner, open_class, node[3], node[2])
    when :sclass then body(node[2], "#{owner}self.", open_class)
    when :def then add(owner + node[1][1], open, definition(node[1]))
    when :defs then add("#{owner}#{source_name(node[1])}.#{node[3][1]}", open_class, definition(node[3]))
    when :alias, :var_alias then add(owner + symbol(node[1]).to_s, open, nil)
    when :assign
      field = node[1]
      return unless field[0] == :var_field && field[1]&.first == :@const
      add(owner + field[1][1], open_class, nil)
      made(node[2], "#{owner}#{field[1][1]}.", open_class)
    when :command then call(node[1][1], arguments(node[2]), owner, open, hidden, open_class)
    when :method_add_arg then call(node[1][1][1], arguments(node[2]), owner, open, hidden, open_class) if node[1][0] == :fcall
    when :method_add_block
      inner = node[1]
      statement(inner, owner, open, hidden, open_class) if %i[command method_add_arg].include?(inner[0]) && inner[1].is_a?(Array)
    end
  end

  # `Point = Struct.new(:x) do … end`: what stands in the block are the class's members.
  def made(value, owner, open)
    return unless value[0] == :method_add_block && value[1].flatten.any? { |each| %w[Struct Class Module Data].include?(each) }
    block = value[2]
    body(block[2], owner, open)
  end

  def call(word, given, owner, open, hidden, open_class)
    names = given.filter_map { |each| symbol(each) }
    if ATTRIBUTES.include?(word) then names.each { |name| add(owner + name, open, nil) }
    elsif DEFINERS.include?(word) then add(owner + names.first, open, nil) if names.any? && symbol(given.first)
    elsif SIGHTS.include?(word) || word.start_with?('private_')
      prefix = word == 'private_class_method' ? 'self.' : ''
      hiding = word.start_with?('private', 'protected')
      hidden.concat(names.map { |name| owner + prefix + name }) if hiding
      given.each { |each| statement(each, owner, open_class && !hiding, hidden, open_class && !hiding) }
    end
  end

  def container(node, owner, open, inside, parent)
    name = source_name(node[1])
    start = @at.fetch(first_position(node[1])) - 1
    start -= 1 until @tokens[start][1] == :on_kw
    stop = parent ? last_token(parent) : last_token(node[1])
    add(owner + name, open, parent && !simple?(parent) ? nil : text(start, stop))
    body(inside, "#{owner}#{name}.", open)
  end

  def simple?(parent) = %i[var_ref const_path_ref top_const_ref].include?(parent[0])

  def add(name, exported, signature)
    @items << { name: name, exported: exported, signatures: [signature].compact }
  end

  # From `def` to the end of the parameters.
  def definition(name)
    index = @at.fetch(name[2])
    start = index
    start -= 1 until @tokens[start][1] == :on_kw && @tokens[start][2] == 'def'
    text(start, parameters_end(index))
  end

  def parameters_end(index)
    after = index + 1
    after += 1 while @tokens[after]&.at(1) == :on_sp
    return index if @tokens[after].nil?
    return closing(after) if @tokens[after][1] == :on_lparen
    return index if %i[on_nl on_semicolon on_ignored_nl on_comment on_op].include?(@tokens[after][1]) && @tokens[after][2] !~ /\A(\*|\*\*|&)\z/
    last = after
    last += 1 until %i[on_nl on_semicolon].include?(@tokens[last + 1]&.at(1)) || @tokens[last + 1].nil? || @tokens[last + 1][1] == :on_comment
    last -= 1 while @tokens[last][1] == :on_sp
    last
  end

  def closing(index)
    depth = 0
    loop do
      depth += 1 if %i[on_lparen].include?(@tokens[index][1])
      depth -= 1 if @tokens[index][1] == :on_rparen
      return index if depth.zero?
      index += 1
    end
  end

  def text(from, to) = @tokens[from..to].map { |token| token[2] }.join

  def arguments(node)
    return [] unless node.is_a?(Array)
    return arguments(node[1]) if %i[arg_paren args_add_block].include?(node[0])
    return node[1..].flat_map { |each| arguments(each) } if node[0] == :args_add || node[0] == :args_new
    node[0].is_a?(Array) ? node : [node]
  end

  def symbol(node)
    return unless node.is_a?(Array)
    return symbol(node[1]) if %i[symbol_literal symbol].include?(node[0])
    node[1] if %i[@ident @const @op @kw @backtick @gvar @cvar @ivar].include?(node[0])
  end

  def bare_word(node)
    node[1][1] if node[0] == :vcall || (node[0] == :var_ref && node[1][0] == :@ident)
  end

  def source_name(node)
    case node[0]
    when :const_ref, :var_ref, :top_const_ref, :vcall then (node[0] == :top_const_ref ? '::' : '') + node[1][1]
    when :const_path_ref then "#{source_name(node[1])}::#{node[2][1]}"
    when :paren then '?'
    else node[1].to_s
    end
  end

  def first_position(node)
    return node[2] if node[0].is_a?(Symbol) && node[0].start_with?('@')
    node.each { |each| found = first_position(each) if each.is_a?(Array); return found if found }
    nil
  end

  def last_token(node)
    positions = []
    walk(node) { |each| positions << each[2] if each[0].is_a?(Symbol) && each[0].start_with?('@') }
    @at.fetch(positions.max)
  end

  def walk(node, &block)
    yield node
    node.each { |each| walk(each, &block) if each.is_a?(Array) && !position?(each) }
  end
end

$stdin.each_line(chomp: true) do |path|
  text = File.read(path, encoding: 'UTF-8')
  puts JSON.generate(path: path, items: Reader.new(text).items)
rescue SyntaxError, KeyError, ArgumentError, JSON::GeneratorError => error
  puts JSON.generate(path: path, error: error.message[0, 200].scrub)
end
