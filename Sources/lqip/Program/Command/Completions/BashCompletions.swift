import LqipOptions
import LqipRecords

/// Generates the completion script for bash 3.2 or later.
///
/// For file operands, the shell function returns no candidates, so that bash uses its own file completion with
/// correct quoting. The other candidates contain no characters that are special to the shell, and are not quoted.
enum BashCompletions {
  static func script(for commands: [CommandText]) -> String {
    let common = OptionText.common.flatMap(\.names)
    let words = commands.map(\.name) + common
    return """
      # Command-line completion for lqip, printed by 'lqip completions bash'.
      _lqip() {
        local IFS=' ' candidate files= list= options= prefix= words=
        local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
        # Bash splits '--name=value' at the equals sign.
        if [[ $word == = ]]; then
          word=
        elif [[ $previous == = ]]; then
          previous=${COMP_WORDS[COMP_CWORD - 2]}
        fi
        if ((COMP_CWORD == 1)); then
          words='\(words.joined(separator: " "))'
        elif [[ " ${COMP_WORDS[*]:1:COMP_CWORD - 1} " == *' -- '* ]]; then
          files=1
        else
          case ${COMP_WORDS[1]} in
      \(commands.map(clause).joined(separator: "\n"))
          esac
        fi
        [[ $word == -* ]] && words+=" $options"
        if [[ $list ]]; then
          # Complete the last name in a list; a comma may follow it.
          words=$list
          [[ $word == *,* ]] && prefix=${word%,*},
          compopt -o nospace 2>/dev/null
        fi
        COMPREPLY=()
        for candidate in $words; do
          [[ ,$prefix == *",$candidate,"* ]] && continue
          [[ $prefix$candidate == "$word"* ]] && COMPREPLY+=("$prefix$candidate")
        done
        [[ $files ]] || compopt +o default 2>/dev/null
      }
      complete -o default -F _lqip lqip
      """
  }

  /// Returns the `case` clause of a command, which selects the candidates by the previous word.
  private static func clause(for command: CommandText) -> String {
    let options = command.options + OptionText.common
    let names = options.flatMap(\.names).joined(separator: " ")
    let values = options.filter { $0.value != nil }.map { option in
      (option.names.joined(separator: " | "), assignment(option.completion))
    }
    let cases = values + [("*", "options='\(names)' \(assignment(command.operandCompletion))")]
    return """
          \(command.name))
            case $previous in
      \(cases.map { "        \($0)) \($1) ;;" }.joined(separator: "\n"))
            esac
            ;;
      """
  }

  private static func assignment(_ completion: Completion) -> String {
    switch completion {
    case .none: "words="
    case .files: "files=1"
    case .words(let words, isList: false): "words='\(words.joined(separator: " "))'"
    case .words(let words, isList: true): "list='\(words.joined(separator: " "))'"
    }
  }
}
