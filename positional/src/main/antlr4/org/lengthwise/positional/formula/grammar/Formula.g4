// The language of formula schemes: docs/reference/formulas.md. Alternatives are in the order of their precedence.
grammar Formula;

formula : expression EOF ;

expression
    : NUMBER                                                              # Number
    | function=(NAME | 'and' | 'or') '(' expression (',' expression)* ')' # Call
    | NAME                                                                # Name
    | '(' expression ')'                                                  # Parentheses
    | <assoc=right> expression operator='^' expression                    # Infix
    | operator=('-' | '+') expression                                     # Sign
    | expression operator=('*' | '/') expression                          # Infix
    | expression operator=('+' | '-') expression                          # Infix
    | expression operator=('<' | '<=' | '>' | '>=' | '==' | '!=') expression # Comparison
    | 'not' expression                                                    # Not
    | expression operator='and' expression                                # Infix
    | expression operator='or' expression                                 # Infix
    ;

NAME : [A-Za-z_] [A-Za-z_0-9]* ;
NUMBER : (DIGIT+ ('.' DIGIT*)? | '.' DIGIT+) ([eE] [+-]? DIGIT+)? ;
SPACE : [ \t\r\n]+ -> skip ;
// Any other character becomes a token, so that the parser reports its column.
OTHER : . ;

fragment DIGIT : [0-9] ;
