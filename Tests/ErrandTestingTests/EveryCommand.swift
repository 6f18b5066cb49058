import AuthClient
import BankClient
import ConversationsClient
import ErrandRuntime
import EverythingClient
import FriendsClient
import LiveClient
import PresenceClient
import VideoClient

/// All commands of the shipped contracts, and of the one that uses everything. A test counts them.
enum EveryCommand {
    static let types: [any Command.Type] = [
        Auth.LogIn.self, Auth.RefreshSession.self, Auth.LogOut.self, Auth.RegisterPerson.self, Auth.WhoAmI.self,
        Bank.LogIn.self, Bank.LogOut.self, Bank.ListAccounts.self, Bank.GetAccount.self, Bank.RenameAccount.self,
        Bank.CloseAccount.self, Bank.TransferFunds.self, Bank.FindTransfer.self, Bank.ListTransfers.self,
        Bank.OrderStanding.self, Bank.OrderCard.self,
        Conversations.LogIn.self, Conversations.LogOut.self, Conversations.ListConversations.self,
        Conversations.ListMessages.self, Conversations.RecentMessages.self, Conversations.SendMessage.self,
        Conversations.StartConversation.self, Conversations.ChangeConversation.self, Conversations.MarkRead.self,
        Conversations.LeaveConversation.self, Conversations.UploadImage.self,
        Friends.ListUsers.self, Friends.SearchUsers.self, Friends.GetUser.self, Friends.GetOwner.self,
        Friends.ListFriends.self, Friends.AddFriend.self, Friends.ChangeFriend.self, Friends.RemoveFriend.self,
        Friends.ChangeProfile.self, Friends.ChangePhoto.self, Friends.Birthdays.self,
        Live.LogIn.self, Live.LogOut.self, Live.ListRooms.self, Live.SearchRooms.self, Live.GetRoom.self,
        Live.ListRanking.self, Live.GetNotice.self, Live.EnterRoom.self, Live.SendGift.self, Live.FollowHost.self,
        Live.UploadCover.self,
        Presence.LogIn.self, Presence.AttachSession.self, Presence.LogOut.self, Presence.QueryInfo.self,
        Presence.ListRooms.self, Presence.SetStatus.self, Presence.SendMessage.self, Presence.Poke.self,
        Presence.Follow.self, Presence.WatchTyping.self,
        Video.LogIn.self, Video.LogOut.self, Video.GetFeed.self, Video.ListRelated.self, Video.GetVideo.self,
        Video.CheckVideo.self, Video.LoadImage.self, Video.PreloadVideo.self, Video.RateVideo.self,
        Video.SaveVideo.self,
        Video.UnsaveVideo.self, Video.ListComments.self, Video.ChannelTitles.self,
        Video.GetChannel.self, Video.RecommendVideo.self,
        Everything.LogIn.self, Everything.Renew.self, Everything.LogOut.self, Everything.GetScalars.self,
        Everything.SendAll.self, Everything.Upload.self, Everything.PutBytes.self, Everything.StoreMany.self,
        Everything.StoreText.self, Everything.WatchRows.self,
        Everything.FollowMarks.self, Everything.PutAway.self, Everything.PutAside.self, Everything.FindBaked.self,
        Everything.FindJoined.self,
        Everything.SendJoined.self, Everything.SearchOrders.self, Everything.ReadQuota.self,
        Everything.Probe.self, Everything.LoadQuota.self, Everything.KeepQuota.self,
        Everything.ListUsers.self, Everything.ListTiles.self, Everything.PutBeside.self, Everything.Replace.self,
        Everything.ReplaceList.self, Everything.Form.self, Everything.Fetch.self, Everything.ReadLax.self,
        Everything.ReadLenient.self,
        Everything.ReadDeep.self, Everything.ReadOptionals.self, Everything.ReadDefaults.self, Everything.ReadTree.self,
        Everything.Rank.self, Everything.ReadMaybes.self, Everything.ReadComma.self, Everything.ReadRest.self,
        Everything.List.self,
        Everything.Head.self, Everything.Default.self, Everything.PayByHeader.self, Everything.PayByField.self,
        Everything.PayWhole.self, Everything.FindPayment.self, Everything.SendInstants.self,
        Everything.EchoInstants.self, Everything.SetLimits.self, Everything.PlaceOrder.self, Everything.EchoOrder.self,
        Everything.FillForm.self, Everything.UploadTree.self,
        Everything.CreateBook.self, Everything.ImportBooks.self, Everything.ListPagesOfBook.self,
        Everything.ChooseMethod.self, Everything.ChooseOwner.self,
        Everything.FetchWhole.self,
        Everything.FetchTagged.self,
        Everything.PageByNumber.self, Everything.PageByOffset.self, Everything.PageByCursor.self,
        Everything.PageByLast.self, Everything.SwapSheet.self, Everything.SwapFields.self, Everything.ReadMany.self,
        Everything.SendExtended.self, Everything.SendForms.self,
    ]
}
