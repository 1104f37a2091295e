// The language of RASP programs: docs/explanation/rasp.md. Operators have no precedence here: Reading tries two.
grammar Rasp;

program : statement* EOF ;

statement
    : 'def' name '(' (parameter (',' parameter)*)? ')' '{' statement* 'return' expressions ';' '}' # Definition
    | 'for' names 'in' expression '{' statement* '}'                      # Loop
    | 'load' STRING ';'                                                   # Load
    | 'draw' '(' expression ',' expression ')' ';'                        # Draw
    | names '=' expressions ';'                                           # Assignment
    | expression ';'                                                      # Evaluation
    ;

name : NAME ;
names : name (',' name)* ;
parameter : name ('=' expression)? ;
expressions : expression (',' expression)* ;

expression : operand (infix operand)* ;
operand : prefix* postfix ;
prefix : 'not' | '-' | '+' ;
infix : 'if' | 'else' | 'or' | 'and' | 'in' | '+' | '-' | '*' | '/' | '%' | '^' | comparison ;
comparison : '==' | '!=' | '<' | '<=' | '>' | '>=' ;

postfix : atom suffix* ;
suffix
    : '(' (argument (',' argument)*)? ')'                                 # Call
    | '[' expression ']'                                                  # Index
    ;
argument : (name '=')? (comparison | expression) ;

atom
    : NAME                                                                # Variable
    | NUMBER                                                              # Number
    | STRING                                                              # Text
    | truth=('True' | 'False')                                            # Truth
    | '(' expression ')'                                                  # Parentheses
    | '[' (expression ('for' names 'in' expression | (',' expression)+)?)? ']' # List
    | '{' (entry (',' entry)*)? '}'                                       # Dictionary
    ;
entry : expression ':' expression ;

NAME : [A-Za-z_] [A-Za-z_0-9]* ;
NUMBER : [0-9]+ ('.' [0-9]+)? ;
STRING : '"' ~["\r\n]* '"' ;
SPACE : ([ \t\r\n]+ | '#' ~[\r\n]*) -> skip ;
// Any other character becomes a token, so that its place is reported.
OTHER : . ;
