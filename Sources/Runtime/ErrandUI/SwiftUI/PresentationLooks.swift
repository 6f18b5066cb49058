#if canImport(SwiftUI)
import Accessibility
public import SwiftUI

/// Draws a presentation. The closure is called with the button that a person has chosen.
@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
public typealias ErrorLooks =
    @MainActor (
        _ presentation: ErrorPresentation, _ choose: @escaping @MainActor (PresentationAction) -> Void
    ) -> AnyView

@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
extension View {
    /// Replaces the looks of presentations in the hosts inside this view: what the builder makes is above the content.
    ///
    ///     RootView().errandHost(bank).errorLooks { presentation, choose in
    ///         Card(presentation.title, presentation.message) {
    ///             ForEach(presentation.buttons) { button in Button(button.title) { choose(button.action) } }
    ///         }
    ///     }
    public func errorLooks<Looks: View>(
        @ViewBuilder _ looks:
            @escaping @MainActor (
                _ presentation: ErrorPresentation, _ choose: @escaping @MainActor (PresentationAction) -> Void
            ) -> Looks
    ) -> some View {
        environment(\.errorLooks, { AnyView(looks($0, $1)) })
    }
}

@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
extension EnvironmentValues {
    var errorLooks: ErrorLooks? {
        get { self[ErrorLooksKey.self] }
        set { self[ErrorLooksKey.self] = newValue }
    }
}

@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
private struct ErrorLooksKey: EnvironmentKey {
    static var defaultValue: ErrorLooks? { nil }
}

/// Shows the model's presentation with the system's own components, which bring dynamic type, focus, the Escape key and
/// right-to-left layout.
@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
struct PresentationLooks: ViewModifier {
    let model: ErrorHostModel
    let custom: ErrorLooks?
    /// The system tells of the end of an alert's animation to no one, and what is shown during it is lost.
    private static let closingPause = Duration.milliseconds(600)

    func body(content: Content) -> some View {
        content
            .overlay(alignment: .top) { banner }
            .alert(
                shown(.alert)?.title ?? "", isPresented: isShown(.alert), presenting: shown(.alert),
                actions: { presentation in
                    ForEach(presentation.buttons) { button in
                        Button(button.title, role: button.isCancel ? .cancel : nil) {
                            model.choose(button.action, of: presentation.id)
                        }
                    }
                },
                message: { Text(verbatim: $0.text) }
            )
            .sheet(isPresented: isShown(.sheet)) {
                if let presentation = shown(.sheet) { card(presentation) }
            }
            .onChange(of: model.presentation) { old, new in
                if let new, new.id != old?.id { announce(new) }
                guard let old, old.id != new?.id else { return }
                Task {
                    try? await Task.sleep(for: Self.closingPause)
                    model.didClose(old.id)
                }
            }
    }

    /// The presentation to show in a style. The app's own looks are drawn above the content, as banners are.
    private func shown(_ style: PresentationStyle) -> ErrorPresentation? {
        guard let presentation = model.presentation else { return nil }
        return (custom == nil ? presentation.style : .banner) == style ? presentation : nil
    }

    private func isShown(_ style: PresentationStyle) -> Binding<Bool> {
        let id = shown(style)?.id
        return Binding(
            get: { @MainActor in shown(style) != nil },
            set: { @MainActor isShown in
                guard !isShown, let id else { return }
                // After the action of the button, if it was one that has closed it.
                Task { model.dismiss(id) }
            })
    }

    @ViewBuilder private var banner: some View {
        if let presentation = shown(.banner) {
            if let custom {
                custom(presentation) { model.choose($0, of: presentation.id) }
            } else {
                card(presentation)
                    .background(.regularMaterial)
                    .accessibilityElement(children: .contain)
                    .transition(.move(edge: .top))
            }
        }
    }

    private func card(_ presentation: ErrorPresentation) -> some View {
        VStack(alignment: .leading) {
            Text(verbatim: presentation.title).font(.headline).accessibilityAddTraits(.isHeader)
            Text(verbatim: presentation.text)
            HStack {
                ForEach(presentation.buttons) { button in
                    Button(button.title, role: button.isCancel ? .cancel : nil) {
                        model.choose(button.action, of: presentation.id)
                    }
                }
            }
        }
        .padding()
    }

    /// The system announces alerts and sheets by itself. A banner comes beside what has the focus.
    private func announce(_ presentation: ErrorPresentation) {
        guard shown(.banner) != nil else { return }
        AccessibilityNotification.Announcement(presentation.announcement).post()
    }
}
#endif
