/// The whole contract of the language's own reference: what a real file looks like.
let bankContract = ##"""
    errand: 1
    service: Bank
    version: 1.0.0
    doc: Transfers between a customer's own accounts.

    servers:                           # the same service in several places; the first is the default
      production: https://api.bank.example/v1
      local: "http://127.0.0.1:{port=8080}/v1"

    session:
      header: Authorization
      format: "Bearer {token}"
      login: logIn                     # the endpoint that starts one; never asks for a session itself
      token: token                     # where its response carries the token
      logout: logOut

    envelopes:
      standard:
        data: data                     # the payload
        error: error                   # present and not null: this is a failure
        code: error.code
        message: error.messages

    errors:
      sessionExpired:
        category: requiresLogout
        when: {status: 401}
      serviceUnavailable:
        category: retryable
        when: [{status: 502..504}, {code: 900099}]
      wrongPassword:
        category: nonRetryable
        when: {status: 401, code: 900001}
      insufficientFunds:
        doc: The account holds less than the amount asked for.
        category: nonRetryable
        when: {code: 900005}
        data: {fromAccount: int, amount: decimal}
        message: There is not enough money in this account.

    defaults:
      envelope: standard
      timeout: 20s                     # one attempt
      deadline: 60s                    # attempts and the pauses between them
      session: required
      errors: [sessionExpired, serviceUnavailable]

    types:
      Transfer:
        fromAccount: int
        toAccount: int
        amount: decimal
        confirmation: int
      Account:
        id: int
        owner: {type: string, sensitive: true}
        balance: decimal
        status: AccountStatus
        openedAt: timestamp
        nickname: string?
      AccountStatus:
        enum: [active, frozen, closed] # open: an unknown value is kept as .unrecognized("…"), never a decode failure

    endpoints:
      logIn:
        post: /sessions
        session: none
        body: {user: string, password: {type: string, sensitive: true}}
        response: {token: {type: string, sensitive: true}}
        effect: idempotent
        errors: [wrongPassword]

      logOut:
        delete: /sessions
        response: none

      listAccounts:
        get: /accounts
        query: {status: AccountStatus?, page: int = 1}
        response: [Account]

      transferFunds:
        post: /transfers
        body: {fromAccount: int, toAccount: int, amount: decimal}
        response: Transfer
        effect: keyed                  # an Idempotency-Key is made per command and kept over its attempts
        errors: [insufficientFunds]
        outcomes:                      # a normal state of the business is no error
          needsApproval: {when: {code: 900120}, data: {approver: string}}
        examples:
          enough: {request: {fromAccount: 1, toAccount: 5, amount: 500.00}, response: {fromAccount: 1, toAccount: 5, amount: 500.00, confirmation: 232348844}}

    """##
